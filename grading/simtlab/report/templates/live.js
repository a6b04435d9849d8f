"use strict";
const at = (id) => document.getElementById(id);
const cell = (kind, text, numeric) => {
  const made = document.createElement(kind);
  made.textContent = text;
  if (kind === "th") made.scope = "row";
  if (numeric) made.className = "numeric";
  return made;
};
const row = (...cells) => {
  const made = document.createElement("tr");
  made.append(...cells);
  return made;
};
const item = (text) => cell("li", text, false);
const show = (state) => {
  at("sentence").textContent = state.sentence;
  at("bar").max = state.total || 1;
  at("bar").value = state.done;
  at("verdicts").replaceChildren(
    ...Object.entries(state.verdicts).map(([words, count]) => row(cell("th", words), cell("td", count, true))),
  );
  const running = state.running.map((one) => row(cell("th", one.who), cell("td", one.where), cell("td", one.time, true)));
  if (state.more_running) running.push(row(cell("th", `and ${state.more_running} more`), cell("td", ""), cell("td", "")));
  at("running").replaceChildren(...running);
  const faults = state.our_faults.map(item);
  if (state.more_faults) faults.push(item(`and ${state.more_faults} more`));
  at("our-faults").replaceChildren(...faults);
  at("finished").hidden = !state.ended;
};
const events = new EventSource("events");
events.addEventListener("message", (event) => show(JSON.parse(event.data)));
events.addEventListener("end", () => events.close());
events.addEventListener("error", () => {
  if (events.readyState !== EventSource.OPEN) at("sentence").textContent = "The connection is lost; trying again.";
});

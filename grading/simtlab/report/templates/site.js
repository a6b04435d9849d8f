"use strict";
// Sorting and filtering of the tables that ask for it; without a script the tables are simply complete. What is found and
// how it is sorted stands behind the # of the address, so that a link shows the same.
const state = () => new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
const keep = (name, value) => {
  const now = state();
  if (value) now.set(name, value); else now.delete(name);
  history.replaceState(null, "", now.size ? `#${now}` : location.pathname + location.search);
};
const keyOf = (cell) => cell.dataset.text ?? cell.dataset.key;
for (const table of document.querySelectorAll("table[data-sortable]")) {
  const headers = [...table.tHead.rows[0].cells];
  const sort = (column, ascending) => {
    for (const header of headers) header.removeAttribute("aria-sort");
    headers[column].setAttribute("aria-sort", ascending ? "ascending" : "descending");
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [keyOf(row.cells[column]), row]);
    const numeric = column > 0 && rows.every(([key]) => key !== undefined && key !== "" && !isNaN(key));
    const compare = numeric ? (a, b) => a[0] - b[0] : (a, b) => String(a[0]).localeCompare(String(b[0]));
    rows.sort(ascending ? compare : (a, b) => compare(b, a));
    body.append(...rows.map(([, row]) => row));
  };
  headers.forEach((header, column) => {
    if (!table.tBodies[0].rows.length || keyOf(table.tBodies[0].rows[0].cells[column]) === undefined) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => {
      const ascending = header.getAttribute("aria-sort") !== "ascending";
      sort(column, ascending);
      keep("sort", `${ascending ? "" : "-"}${column}`);
    });
  });
  const asked = /^(-?)(\d+)$/.exec(state().get("sort") ?? "");
  if (asked && Number(asked[2]) < headers.length) sort(Number(asked[2]), !asked[1]);
}
for (const input of document.querySelectorAll("input[data-filters]")) {
  const rows = [...document.getElementById(input.dataset.filters).tBodies[0].rows];
  const status = document.querySelector(`[data-count="${input.dataset.filters}"]`);
  const noun = input.dataset.noun ?? "rows";
  const show = () => {
    const wanted = input.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      row.hidden = !row.textContent.toLowerCase().includes(wanted);
      shown += row.hidden ? 0 : 1;
    }
    status.textContent = wanted ? `${shown} of ${rows.length} ${noun}` : "";
  };
  input.addEventListener("input", () => { show(); keep("find", input.value.trim()); });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { input.value = ""; show(); keep("find", ""); }
  });
  const follow = () => { input.value = state().get("find") ?? ""; show(); };
  addEventListener("hashchange", () => { follow(); if (state().has("find")) input.focus(); });
  if (state().has("find")) follow();
}
// In a source n goes to the next line of a finding, c to the next that costs more than it must, dearest first.
const stepThrough = (which, step) => {
  const rows = [...document.querySelectorAll(`.source ${which}`)];
  if (!rows.length) return;
  rows.sort((a, b) => (b.dataset.share ?? 0) - (a.dataset.share ?? 0));
  const here = rows.indexOf(document.querySelector(".source .here"));
  document.querySelector(".source .here")?.classList.remove("here");
  const row = rows[here < 0 ? (step > 0 ? 0 : rows.length - 1) : (here + step + rows.length) % rows.length];
  row.classList.add("here");
  row.tabIndex = -1;
  row.focus({preventScroll: true});
  row.scrollIntoView({block: "center"});
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const key = event.key.toLowerCase(), step = event.key === key ? 1 : -1;
  if (key === "c") stepThrough("tr[data-share]", step);
  if (key === "n") stepThrough("tr[data-found]", step);
});

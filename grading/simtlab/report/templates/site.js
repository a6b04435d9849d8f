"use strict";
// Sorting and filtering of the tables that ask for it; without a script the tables are simply complete.
for (const table of document.querySelectorAll("table[data-sortable]")) {
  const headers = [...table.tHead.rows[0].cells];
  headers.forEach((header, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => {
      const ascending = header.getAttribute("aria-sort") !== "ascending";
      for (const other of headers) other.removeAttribute("aria-sort");
      header.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      const key = (row) => row.cells[column].dataset.key;
      const numeric = column > 0;
      const compare = (a, b) => numeric ? Number(key(a)) - Number(key(b)) : key(a).localeCompare(key(b));
      const rows = [...table.tBodies[0].rows].sort((a, b) => ascending ? compare(a, b) : compare(b, a));
      table.tBodies[0].append(...rows);
    });
  });
}
for (const input of document.querySelectorAll("input[data-filters]")) {
  const rows = [...document.getElementById(input.dataset.filters).tBodies[0].rows];
  const status = document.querySelector(`[data-count="${input.dataset.filters}"]`);
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      row.hidden = !row.textContent.toLowerCase().includes(wanted);
      shown += row.hidden ? 0 : 1;
    }
    status.textContent = wanted ? `${shown} of ${rows.length} students` : "";
  });
}

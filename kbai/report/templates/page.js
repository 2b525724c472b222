"use strict";
(function () {
  const views = Array.from(document.querySelectorAll(".view"));
  const cursors = document.querySelectorAll(".cursor");
  let current = -1;

  // A table that is too wide becomes a block for each row, with the heads beside the values.
  function fold() {
    document.querySelectorAll("table").forEach((table) => {
      if (!table.offsetParent) return;
      table.classList.remove("is-folded");
      if (table.offsetWidth <= table.parentElement.clientWidth) return;
      const heads = Array.from(table.querySelectorAll("th"), (head) => head.textContent);
      table.querySelectorAll("tbody tr").forEach((row) => {
        Array.from(row.cells).forEach((cell, place) => { cell.dataset.head = heads[place]; });
      });
      table.classList.add("is-folded");
    });
  }

  // Scroll the list to an item, unless one that opens the same view is to be seen.
  function showInList(id) {
    const list = document.querySelector(".scroll");
    const items = Array.from(list ? list.querySelectorAll("[data-open]") : []);
    const tops = items
      .filter((item) => item.dataset.open === id)
      .map((item) => item.getBoundingClientRect().top - list.getBoundingClientRect().top);
    if (!tops.length || tops.some((top) => top >= 0 && top < list.clientHeight - 40)) return;
    list.scrollTop += tops[tops.length - 1] - list.clientHeight / 2;
  }

  function open(index, isFirst) {
    if (index < 0 || index >= views.length) return;
    current = index;
    const id = views[index].id;
    views.forEach((view, place) => view.classList.toggle("is-open", place === index));
    document.querySelectorAll("[data-open]").forEach((link) => {
      const isIt = link.dataset.open === id;
      if (isIt) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
    if (!isFirst) showInList(id);
    cursors.forEach((cursor) => {
      cursor.setAttribute("transform", "translate(" + views[index].dataset.x + " 0)");
    });
    document.querySelectorAll("[data-go]").forEach((button) => {
      const to = index + Number(button.dataset.go);
      button.disabled = to < 0 || to >= views.length;
    });
    document.querySelectorAll(".where").forEach((place) => {
      place.textContent = views[index].dataset.title;
    });
    fold();
    // Not at first: the browser would scroll down to the view.
    if (!isFirst) history.replaceState(null, "", "#" + id);
  }

  function openById(id) {
    const index = views.findIndex((view) => view.id === id);
    if (index >= 0) open(index);
    return index >= 0;
  }

  document.addEventListener("click", (event) => {
    const go = event.target.closest("[data-go]");
    if (go) {
      open(current + Number(go.dataset.go));
      return;
    }
    const frame = event.target.closest(".frame");
    if (frame) {
      const box = frame.querySelector(".board").getBoundingClientRect();
      const share = (event.clientX - box.left) / box.width;
      document.body.classList.toggle("is-large");
      frame.scrollLeft = share * frame.scrollWidth - frame.clientWidth / 2;
      return;
    }
    const link = event.target.closest("[data-open]");
    if (link && openById(link.dataset.open)) {
      event.preventDefault();
      const desk = document.getElementById("desk");
      const top = desk.getBoundingClientRect().top;
      if (top < -40 || top > window.innerHeight * 0.6) desk.scrollIntoView();
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const steps = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: views.length - 1 };
    if (event.key in steps) {
      event.preventDefault();
      open(steps[event.key]);
    }
  });

  window.addEventListener("resize", fold);
  window.addEventListener("hashchange", () => openById(location.hash.slice(1)));
  if (!openById(location.hash.slice(1))) open(Number(document.body.dataset.first), true);
})();

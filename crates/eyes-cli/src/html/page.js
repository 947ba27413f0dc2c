"use strict";
document.documentElement.classList.add("js");
for (const section of document.querySelectorAll("section.image")) {
  const $ = (selector) => section.querySelector(selector);
  const items = [...section.querySelectorAll(".e")];
  const boxOf = (item) => document.getElementById(item.dataset.box);
  const itemOf = new Map(items.map((item) => [item.dataset.box, item]));
  const [svg, pane, lens] = [$(".pane svg"), $(".pane"), $(".lens")];
  const whole = svg.viewBox.baseVal;
  let [shown, kept] = [null, null];

  const magnify = (box) => {
    const view = lens.querySelector("svg");
    const [x, y, w, h] = ["x", "y", "width", "height"].map((name) => box[name].baseVal.value);
    const ratio = view.clientWidth / Math.max(1, view.clientHeight);
    // The part is as wide as the lens, has some margin and is never less than 24 pixels high.
    const high = Math.max(24, h * 1.5, (w * 1.08) / ratio);
    const wide = high * ratio;
    view.setAttribute("viewBox", [x + w / 2 - wide / 2, y + h / 2 - high / 2, wide, high].join(" "));
    lens.querySelector("p").textContent =
      `left ${Math.round(x)}, top ${Math.round(y)}, ${Math.round(w)} × ${Math.round(h)} px of ${whole.width} × ${whole.height}`;
  };
  const show = (item) => {
    if (shown === item) return;
    for (const on of [shown, shown && boxOf(shown)]) on?.classList.remove("on");
    shown = item;
    svg.classList.toggle("picked", item !== null);
    lens.classList.toggle("shown", item !== null);
    if (item === null) return;
    const box = boxOf(item);
    item.classList.add("on");
    box.classList.add("on");
    magnify(box);
  };
  /** Moves the picture so that the box is in sight, where the picture is larger than its pane. */
  const reveal = (item) => {
    const [box, frame] = [boxOf(item).getBoundingClientRect(), pane.getBoundingClientRect()];
    if (box.top < frame.top || box.bottom > frame.bottom) pane.scrollTop += box.top - frame.top - (frame.height - box.height) / 2;
    if (box.left < frame.left || box.right > frame.right) pane.scrollLeft += box.left - frame.left - (frame.width - box.width) / 2;
  };
  const keep = (item) => {
    kept = item;
    for (const other of items) other.tabIndex = other === item ? 0 : -1;
    show(item);
    reveal(item);
  };

  for (const item of items) {
    item.addEventListener("pointerenter", () => { show(item); reveal(item); });
    item.addEventListener("pointerleave", () => show(kept));
    item.addEventListener("focus", () => keep(item));
    item.addEventListener("blur", () => { kept = null; show(null); });
    const box = boxOf(item);
    box.addEventListener("pointerenter", () => show(item));
    box.addEventListener("pointerleave", () => show(kept));
  }
  svg.addEventListener("click", (event) => {
    const item = itemOf.get(event.target.id);
    if (!item) return;
    item.focus({ preventScroll: true });
    item.scrollIntoView({ block: "nearest" });
  });
  if (items.length > 0) items[0].tabIndex = 0;
  section.addEventListener("keydown", (event) => {
    const at = items.indexOf(document.activeElement);
    if (at < 0) return;
    if (event.key === "Escape") { items[at].blur(); return; }
    const open = items.filter((item) => !item.hidden);
    const here = open.indexOf(items[at]);
    const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: open.length - 1 }[event.key];
    if (to === undefined || !open[to]) return;
    event.preventDefault();
    open[to].focus();
  });

  for (const input of section.querySelectorAll("input[data-kind]")) {
    input.addEventListener("change", () => svg.classList.toggle(`no-${input.dataset.kind}`, !input.checked));
  }
  $("button.size")?.addEventListener("click", (event) => {
    const full = $(".see").classList.toggle("full");
    event.currentTarget.setAttribute("aria-pressed", String(full));
  });
  $("input[type=search]")?.addEventListener("input", (event) => {
    const wanted = event.target.value.trim().toLowerCase();
    for (const item of items) {
      item.hidden = wanted !== "" && !item.textContent.toLowerCase().includes(wanted);
      boxOf(item).classList.toggle("gone", item.hidden);
    }
  });
}

// DOM helpers: create elements, re-render with focus kept, toasts and the clipboard.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...wanted(children));
  return element;
}

const wanted = (children) =>
  children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false);

/** Creates an HTML element. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Creates an SVG element. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Returns a key that identifies the focused element after a re-render. */
function keyOf({ id, dataset }) {
  if (id) return `#${CSS.escape(id)}`;
  const name = ["tool", "move", "ply", "brush", "edit", "act", "nav"].find((key) => dataset[key] !== undefined);
  return name && `[data-${name}="${CSS.escape(dataset[name])}"]`;
}

/**
 * Re-renders the content of a box and restores the focus: to the element with the same key, else to the same part
 * (`data-home`), else to the box or the board, so that no key press reaches the page.
 */
export function renew(box, ...children) {
  const active = document.activeElement;
  const inside = active !== box && box.contains(active);
  const [key, home] = inside ? [keyOf(active), active.closest("[data-home]")?.dataset.home] : [];
  box.replaceChildren(...wanted(children));
  if (!inside) return;
  const usable = (found) => (found && !found.disabled ? found : null);
  const next =
    usable(key && box.querySelector(key)) ??
    usable(home && box.querySelector(`[data-home="${home}"]`)) ??
    box.querySelector('button:not(:disabled), a[href], input, select, [tabindex="0"]');
  (next ?? refuge())?.focus({ preventScroll: true });
}

/** Returns the fallback for a lost focus: the board, else the page. */
export const refuge = () => document.querySelector('.target[tabindex="0"]') ?? document.getElementById("main");

/** Shows a short message that disappears by itself. */
export function toast(text) {
  const place = document.getElementById("toast");
  place.textContent = text;
  place.classList.add("shown");
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => place.classList.remove("shown"), 2500);
}

/** Copies a text to the clipboard. If the browser does not allow it, selects the text for the user to copy. */
export async function copy(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = h("textarea", { class: "off-screen", value: text });
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

const ICONS = {
  first: "M5 4v16M19 5l-10 7 10 7z",
  back: "M16 5l-9 7 9 7z",
  forward: "M8 5l9 7-9 7z",
  last: "M19 4v16M5 5l10 7-10 7z",
  flip: "M7 20V5M7 5L3.5 9M7 5l3.5 4M17 4v15M17 19l-3.5-4M17 19l3.5-4",
  edit: "M4 20l1-5L16 4l4 4L9 19zM13.5 6.5l4 4",
  hints: "M2 12c3-5 6.500-7 10-7s7 2 10 7c-3 5-6.500 7-10 7s-7-2-10-7zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  restart: "M5 5v5h5M5.500 10A7.500 7.500 0 1 1 4.600 14",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.500 1.500M17.500 17.500L19 19M19 5l-1.500 1.500M6.500 17.500L5 19",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.500 10.900c.600.500 1 1.100 1 2.100h5c0-1 .400-1.600 1-2.100A6 6 0 0 0 12 3z",
  share: "M12 15V3M12 3L8 7M12 3l4 4M5 12v8h14v-8",
  paste: "M8 5H5v16h14V5h-3M8 3h8v4H8zM9 13h6M9 17h6",
};

/** Returns an icon. */
export function icon(name) {
  const picture = { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" };
  return s("svg", picture, s("path", { d: ICONS[name] }));
}

/** Creates a button with an icon and an accessible name. */
export function iconButton(name, label, onclick, { disabled, ...more } = {}) {
  // aria-disabled instead of disabled: the button keeps the focus.
  const use = disabled ? { "aria-disabled": "true" } : { onclick };
  return h("button", { type: "button", class: "tool", "aria-label": label, title: label, ...use, ...more }, icon(name));
}

// Elements of the page: how they are made, and the small controls that the widgets share.

/** @typedef {Record<string, string | number | boolean>} Attributes */

/**
 * Sets attributes, and the text where one is given.
 * @template {Element} Kind
 * @param {Kind} node
 * @param {Attributes} attributes
 * @param {string} [text]
 * @returns {Kind}
 */
export function fill(node, attributes, text) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  if (text !== undefined) node.textContent = text;
  return node;
}

/**
 * A new element of the page, the last child of `parent` if there is one.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Element | null} parent
 * @param {Attributes} [attributes]
 * @param {string} [text]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, parent, attributes = {}, text) {
  const node = fill(document.createElement(tag), attributes, text);
  if (parent) parent.append(node);
  return node;
}

/**
 * A new element of a drawing.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Element} parent
 * @param {Attributes} [attributes]
 * @param {string} [text]
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function draw(tag, parent, attributes = {}, text) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(node, attributes, text);
  parent.append(node);
  return node;
}

/**
 * A row of buttons of which one is pressed.
 * @param {Element} parent
 * @param {string} label
 * @param {string[]} names
 * @param {number} chosen
 * @param {(index: number) => void} choose
 */
export function choices(parent, label, names, chosen, choose) {
  const group = make("div", parent, { class: "choices", role: "group", "aria-label": label });
  make("span", group, { class: "choices-label" }, label);
  const buttons = names.map((name, i) =>
    make("button", group, { type: "button", "aria-pressed": i === chosen }, name),
  );
  buttons.forEach((button, i) => {
    button.addEventListener("click", () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      choose(i);
    });
  });
}

/**
 * A list of names of which one is chosen.
 * @param {Element} parent
 * @param {string} label
 * @param {string[]} names
 * @param {number} chosen
 * @param {(index: number) => void} choose
 */
export function drop_down(parent, label, names, chosen, choose) {
  const box = make("label", parent, { class: "choices" });
  make("span", box, { class: "choices-label" }, label);
  const list = make("select", box);
  names.forEach((name, i) => make("option", list, { value: i }, name));
  list.value = String(chosen);
  list.addEventListener("change", () => choose(Number(list.value)));
}

/**
 * The line under a widget that says what is chosen, aloud to those who listen.
 * @param {Element} root
 */
export function status_line(root) {
  return make("p", root, { class: "says", role: "status", "aria-live": "polite" });
}

/**
 * Calls `show` when the room for the element changes.
 * @param {Element} node
 * @param {() => void} show
 */
export function follow_width(node, show) {
  let before = node.clientWidth;
  const observer = new ResizeObserver(() => {
    if (Math.abs(node.clientWidth - before) <= 4) return;
    before = node.clientWidth;
    show();
  });
  observer.observe(node);
}

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
export function clamp(value, low, high) {
  return Math.min(high, Math.max(low, value));
}

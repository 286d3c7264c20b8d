// Names of modules and heads as readers know them.

/**
 * "Encoder L0 H3" of "encoder.0.self.head.3"; other names stay as they are.
 * @param {string} name
 */
export function label_of(name) {
  const match = /^(encoder|decoder)\.(\d+)\.(self|cross)(?:\.head\.(\d+))?$/.exec(name);
  if (!match) return name;
  const [, stack, layer, kind, head] = match;
  const words = [stack === "encoder" ? "Encoder" : "Decoder", `L${layer}`];
  if (stack === "decoder") words.push(String(kind));
  if (head !== undefined) words.push(`H${head}`);
  return words.join(" ");
}

/**
 * "H3" of "encoder.0.self.head.3".
 * @param {string} name
 */
export function short_head_label(name) {
  return "H" + name.split(".").pop();
}

/**
 * "encoder.0.self" of "encoder.0.self.head.3".
 * @param {string} name
 */
export function module_of(name) {
  return name.replace(/\.head\.\d+$/, "");
}

/**
 * Whether the queries (or else the keys) of a module are tokens of the source.
 * @param {string} module
 * @param {"queries" | "keys"} side
 */
export function is_of_source(module, side) {
  return module.startsWith("encoder") || (side === "keys" && module.includes("cross"));
}

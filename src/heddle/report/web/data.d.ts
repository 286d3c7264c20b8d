// What the page's data holds, as the files widget_*.cpp write it: parts of results.json, each with
// its path there (`from`). Numbers that were not measured are null.
type Numbers = (number | null)[];

// ── the attention browser ──

/** One entry for each head and way of removing it. */
export interface EffectColumns {
  from: string;
  head: string[];
  mode: string[];
  drop: Numbers;
  low: Numbers;
  high: Numbers;
  band: string[];
}

export interface RoleColumns {
  from: string;
  head: string[];
  role: string[];
  score: Numbers;
}

/** The weights of a module, packed: head by head, query by query. */
export interface Grid {
  from: string;
  module: string;
  heads: number;
  queries: number;
  keys: number;
  weights: string;
}

/** A captured input, or the average over several problems. */
export interface Picture {
  from: string;
  name: string;
  problems: number;
  output: string;
  source: string[];
  target: string[];
  modules: Grid[];
}

export interface AttentionData {
  colours: string[];
  effects: EffectColumns;
  roles: RoleColumns;
  pictures: Picture[];
}

// ── the pruning slider ──

/** One entry for each head that has gone; the first is for none. */
export interface PrunePoints {
  from: string;
  heads_left: number[];
  cut: string[];
  "scored.correct": number[];
  "scored.total": number[];
  low: Numbers;
  high: Numbers;
}

export interface PruneCurve {
  from: string;
  by: string;
  points: PrunePoints;
}

export interface PrunedMember {
  from: string;
  recipe: string;
  seed: number;
  defect: boolean;
  curves: PruneCurve[];
}

export interface PruningData {
  members: PrunedMember[];
}

// ── the extrapolation curves ──

/** Estimates of one kind of negatives; `at` says which entries of the list they are. */
export interface LengthSet {
  from: string;
  at: number[];
  kind: string;
  values: number;
  delta: number;
  length: number[];
  seeds: number[];
  median: Numbers;
  low: Numbers;
  high: Numbers;
  worst: Numbers;
}

/** The members of one recipe. */
export interface Population {
  from: string;
  recipe: string;
  group: string;
  position: string;
  pooling: string;
  reads_order: boolean;
  sets: LengthSet[];
}

export interface LengthsData {
  train_shortest: number;
  train_longest: number;
  opens_with: { kind: string };
  populations: Population[];
}

// ── maps, one at a time ──

export interface PackedMap {
  from: string;
  label: string;
  note: string;
  rows: number;
  columns: number;
  row_names: string[];
  column_names: string[];
  values: string;
}

export interface MapsData {
  colours: string[];
  maps: PackedMap[];
}

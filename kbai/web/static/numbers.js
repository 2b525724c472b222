// Numbers as people read them.

export const percent = (value) => (100 * value).toFixed(1);
export const gold = (value) => value.toFixed(1);

/** Half the width of an interval; nothing if an end is unknown or nothing is uncertain. */
export function spread(estimate, scale = 1) {
  if (estimate.low === null || estimate.high === null || estimate.low === estimate.high) return "";
  return `±${((scale * (estimate.high - estimate.low)) / 2).toFixed(1)}`;
}

/** The ends of the interval of a chance, which is rarely as wide on both sides. */
export function chances({ low, high }) {
  return low === null || high === null ? "" : `${Math.round(100 * low)}-${Math.round(100 * high)}`;
}

export function visits(count) {
  if (count < 10000) return String(count);
  return count < 1e6 ? `${Math.round(count / 1000)}k` : `${(count / 1e6).toFixed(1)}M`;
}

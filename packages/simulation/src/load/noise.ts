/** A number from -1 to 1, the same for the same seed and place, and unrelated to its neighbours. */
export const noiseAt = (seed: number, place: number): number => mixed(mixed(seed) + place) / 2 ** 31 - 1;

/** Noise that drifts from one value to the next in `periodSeconds`. */
export const wandering = (seed: number, atMs: number, periodSeconds: number): number => {
  const at = atMs / 1000 / periodSeconds;
  const place = Math.floor(at);
  const part = at - place;
  const weight = part * part * (3 - 2 * part);
  return noiseAt(seed, place) * (1 - weight) + noiseAt(seed, place + 1) * weight;
};

/** The final mix of MurmurHash3: neighbours end up far apart. From 0 to 2^32. */
const mixed = (number: number): number => {
  let bits = number ^ 0x9e3779b9;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
};

const SEEDS = [0x811c9dc5, 0x9e3779b9, 0x85ebca6b, 0xc2b2ae35] as const;

/** 32 hexadecimal digits that tell texts apart; not a secret's. */
export const digestOfText = (text: string): string =>
  SEEDS.map((seed) => {
    let hash: number = seed;
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193 ^ (seed & 0xfe));
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return ((hash ^ (hash >>> 16)) >>> 0).toString(16).padStart(8, "0");
  }).join("");

/** Shades of one colour, for a theme. */
export interface Shades {
  /** Of links, buttons and the ring around what has the focus. */
  readonly accent: string;
  /** Of words on it. */
  readonly ink: string;
  /** Behind what is chosen. */
  readonly soft: string;
}

/** The colour of what can be pressed. */
export interface Accent {
  readonly light: Shades;
  readonly dark: Shades;
}

/** WCAG 2.2, 1.4.3, for text of any size. */
const LEAST_CONTRAST = 4.5;
/** Less colour than this cannot be told from the grey that words have. */
const LEAST_CHROMA = 0.12;
const LIGHTNESS_STEP = 0.005;

/** What words in the accent stand on: `--surface`, `--page` and `--sunken` of the pages. */
export const backgrounds = {
  light: ["#ffffff", "#f4f6f7", "#ebeff1"],
  dark: ["#15202a", "#0d141a", "#1d2a35"],
} as const;

/** Hue, saturation and lightness, each from 0 to 1. */
type Hsl = readonly [hue: number, saturation: number, lightness: number];

/** Shades of a colour with its hue, each as light or dark as words on it and in it need; null for grey, black and white. */
export const accentOf = (colour: string): Accent | null => {
  const [red, green, blue] = channelsOf(colour);
  if (Math.max(red, green, blue) - Math.min(red, green, blue) < LEAST_CHROMA) return null;
  const [hue, saturation, lightness] = hslOf(red, green, blue);
  const soft = Math.min(saturation, 0.55);
  return {
    light: {
      accent: firstReadable([hue, saturation, Math.min(lightness, 0.6)], -1, [
        ...backgrounds.light,
        hexOf([hue, soft, 0.92]),
      ]),
      ink: "#ffffff",
      soft: hexOf([hue, soft, 0.92]),
    },
    dark: {
      accent: firstReadable([hue, saturation, Math.max(lightness, 0.5)], 1, [
        ...backgrounds.dark,
        hexOf([hue, soft, 0.16]),
      ]),
      ink: hexOf([hue, soft, 0.08]),
      soft: hexOf([hue, soft, 0.16]),
    },
  };
};

/** Darker or lighter until it can be read on each of the backgrounds. White, on the lightest of which it stands, is one of them. */
const firstReadable = ([hue, saturation, from]: Hsl, direction: 1 | -1, on: readonly string[]): string => {
  for (let lightness = from; lightness > 0 && lightness < 1; lightness += direction * LIGHTNESS_STEP) {
    const shade = hexOf([hue, saturation, lightness]);
    if (on.every((background) => contrastOf(shade, background) >= LEAST_CONTRAST)) return shade;
  }
  return direction === 1 ? "#ffffff" : "#000000";
};

/** The ratio of two colours (WCAG 2.2). */
export const contrastOf = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};

const luminanceOf = (colour: string): number => {
  const [red, green, blue] = channelsOf(colour).map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Degrees around the circle of hues in which alarms are red and amber. */
const ALARMS = { from: 340, to: 50 };

/** Whether a button could be taken for an alarm. */
export const isLikeAlarms = (colour: string): boolean => {
  const hue = hslOf(...channelsOf(colour))[0] * 360;
  return hue >= ALARMS.from || hue <= ALARMS.to;
};

const channelsOf = (colour: string): [red: number, green: number, blue: number] => {
  const all = Number.parseInt(colour.slice(1), 16);
  return [all >> 16, (all >> 8) & 255, all & 255].map((channel) => channel / 255) as [number, number, number];
};

const hslOf = (red: number, green: number, blue: number): Hsl => {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const [chroma, lightness] = [most - least, (most + least) / 2];
  if (chroma === 0) return [0, 0, lightness];
  const sixth =
    most === red
      ? ((green - blue) / chroma + 6) % 6
      : most === green
        ? (blue - red) / chroma + 2
        : (red - green) / chroma + 4;
  return [sixth / 6, chroma / (1 - Math.abs(2 * lightness - 1)), lightness];
};

const hexOf = ([hue, saturation, lightness]: Hsl): string => {
  const chroma = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): string => {
    const place = (offset + hue * 12) % 12;
    const value = lightness - chroma * Math.max(-1, Math.min(place - 3, 9 - place, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
};

import type { Shades } from "../../platform/accent.js";
import { type Brand, type BrandLogo, OWN_NAME } from "../../platform/brand.js";
import { escaped } from "../../platform/escaped-html.js";

// The built files name Curtail; each place of it is listed here, and a test of a branded service looks for others.

const replaced = (text: string, places: ReadonlyArray<readonly [from: string | RegExp, to: string]>): string =>
  places.reduce((so, [from, to]) => so.replaceAll(from, () => to), text);

/** HTML of a page: its title, its first frame, and what its scripts know the brand by. */
export const brandedPage = (html: string, brand: Brand): string => {
  const { name, logo, accent } = brand;
  const places: Array<readonly [string | RegExp, string]> = [
    [`<title>${OWN_NAME}</title>`, `<title>${escaped(name)}</title>`],
    [`title="${OWN_NAME}"`, `title="${escaped(name)}"`],
    [`>${OWN_NAME}</span>`, `>${escaped(name)}</span>`],
    ["</head>", `${headOf(brand)}</head>`],
  ];
  if (accent !== null) places.push([/(?<=<meta name="theme-color" content=")#\w+/g, accent.light.accent]);
  if (logo !== null) places.push(...logoPlaces(logo));
  return replaced(html, places);
};

const logoPlaces = ({ path, type }: BrandLogo): ReadonlyArray<readonly [string | RegExp, string]> => [
  ['href="/icon.svg" type="image/svg+xml"', `href="${path}" type="${type}"`],
  ['"/icon.svg"', `"${path}"`],
  // Phones take no SVG.
  type === "image/png" ? ['href="/icon-192.png"', `href="${path}"`] : [/<link rel="apple-touch-icon"[^>]*>/g, ""],
];

/** Nothing for a service without a brand. Styles in the page: the first paint has them. */
const headOf = (brand: Brand): string => {
  const { name, logo, accent, footer, links } = brand;
  const known = JSON.stringify({ name, logo: logo?.path ?? null, footer, links });
  const isOwn = name === OWN_NAME && logo === null && footer === null && links.length === 0;
  const meta = isOwn ? "" : `<meta name="brand" content="${escaped(known)}">\n    `;
  return accent === null ? meta : `${meta}<style>${styleOf(accent.light, accent.dark)}</style>\n    `;
};

const styleOf = (light: Shades, dark: Shades): string => {
  const pair = (shade: keyof Shades): string => `light-dark(${light[shade]}, ${dark[shade]})`;
  return `:root { --accent: ${pair("accent")}; --accent-ink: ${pair("ink")}; --accent-soft: ${pair("soft")}; }`;
};

export const brandedManifest = (text: string, { name, logo, accent }: Brand): string => {
  const manifest = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return JSON.stringify({
    ...manifest,
    name,
    short_name: name,
    ...(accent === null ? {} : { theme_color: accent.light.accent }),
    ...(logo === null ? {} : { icons: [{ src: logo.path, sizes: "any", type: logo.type }] }),
  });
};

/** Shown while the service cannot be reached, so that the logo is part of it. */
export const brandedOfflinePage = (html: string, { name, logo, accent }: Brand): string => {
  const places: Array<readonly [string | RegExp, string]> = [[`· ${OWN_NAME}</title>`, `· ${escaped(name)}</title>`]];
  if (logo !== null) {
    const data = `data:${logo.type};base64,${logo.content.toString("base64")}`;
    places.push([/<svg[^]*?<\/svg>/g, `<img src="${data}" alt="" width="40" height="40" style="object-fit: contain">`]);
  }
  if (accent !== null) {
    const { light, dark } = accent;
    places.push(["light-dark(#0b6e66, #4fd1c0)", `light-dark(${light.accent}, ${dark.accent})`]);
    places.push(["light-dark(#ffffff, #06231f)", `light-dark(${light.ink}, ${dark.ink})`]);
  }
  return replaced(html, places);
};

/** The notification that names the service, and its picture, which no browser takes as SVG. */
export const brandedServiceWorker = (script: string, { name, logo }: Brand): string =>
  replaced(script, [
    [`title: "${OWN_NAME}"`, `title: ${JSON.stringify(name)}`],
    ...(logo?.type === "image/png" ? ([["/icon-192.png", logo.path]] as const) : []),
  ]);

import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import type { Brand, BrandLogo } from "../../platform/brand.js";
import type { Config } from "../../platform/runtime/config.js";

/** Pages load it first; a logo has some kB. */
const MAX_LOGO_BYTES = 200_000;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Reads the logo, and throws if it is none that pages can show. */
export const readBrand = ({ brandName, brandLogo, brandColour, brandFooter, brandLinks }: Config): Brand => ({
  name: brandName,
  logo: brandLogo === null ? null : readLogo(brandLogo),
  accent: brandColour?.accent ?? null,
  footer: brandFooter,
  links: brandLinks ?? [],
});

const readLogo = (file: string): BrandLogo => {
  const content = contentOf(file);
  const type = typeOf(content);
  if (type === null) throw new Error(`CURTAIL_BRAND_LOGO must name an SVG or PNG file; ${file} is neither.`);
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 12);
  return { path: `/brand/logo-${hash}.${type === "image/png" ? "png" : "svg"}`, type, content };
};

const contentOf = (file: string): Buffer => {
  let size: number;
  try {
    size = statSync(file).size;
    if (size <= MAX_LOGO_BYTES) return readFileSync(file);
  } catch (cause) {
    throw new Error(`CURTAIL_BRAND_LOGO must name a file that the service may read; ${file} is not.`, { cause });
  }
  throw new Error(
    `CURTAIL_BRAND_LOGO must have at most ${MAX_LOGO_BYTES} bytes; ${file} has ${size}. Make it smaller.`,
  );
};

const typeOf = (content: Buffer): BrandLogo["type"] | null => {
  if (content.subarray(0, PNG.length).equals(PNG)) return "image/png";
  return /^\uFEFF?\s*(<\?xml[^>]*>\s*)?(<!--[^]*?-->\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>]/i.test(content.toString("utf8"))
    ? "image/svg+xml"
    : null;
};

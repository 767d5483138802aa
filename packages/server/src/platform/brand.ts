import type { Accent } from "./accent.js";

/** A legal link: an imprint, a privacy notice. */
export interface BrandLink {
  readonly label: string;
  readonly url: string;
}

export interface BrandLogo {
  /** On the service's own host; it changes with the content. */
  readonly path: string;
  readonly type: "image/svg+xml" | "image/png";
  readonly content: Buffer;
}

/** As whom the service appears to people: on pages, in messages, in authenticator apps. */
export interface Brand {
  readonly name: string;
  readonly logo: BrandLogo | null;
  readonly accent: Accent | null;
  /** null: nothing but the links. */
  readonly footer: string | null;
  readonly links: readonly BrandLink[];
}

/** The name unless one is set. */
export const OWN_NAME = "Curtail";

/** What ends an email, one paragraph each. */
export const footerOf = ({ footer, links }: Pick<Brand, "footer" | "links">): readonly string[] => [
  ...(footer === null ? [] : [footer]),
  ...(links.length === 0 ? [] : [links.map(({ label, url }) => `${label}: ${url}`).join("\n")]),
];

/** As whom the service appears; it writes what differs from Curtail's own into the page. */
interface Brand {
  readonly name: string;
  /** Address of the logo. */
  readonly logo: string;
  /** At the foot of pages; null: only the links. */
  readonly footer: string | null;
  readonly links: ReadonlyArray<{ readonly label: string; readonly url: string }>;
}

const OWN: Brand = { name: "Curtail", logo: "/icon.svg", footer: null, links: [] };

/** Builds make the first frame of pages without a document. */
const written = (): Partial<Brand> => {
  if (typeof document === "undefined") return {};
  const content = document.querySelector<HTMLMetaElement>('meta[name="brand"]')?.content;
  if (content === undefined) return {};
  const { logo, ...brand } = JSON.parse(content) as Omit<Brand, "logo"> & { readonly logo: string | null };
  return logo === null ? brand : { ...brand, logo };
};

export const brand: Brand = { ...OWN, ...written() };

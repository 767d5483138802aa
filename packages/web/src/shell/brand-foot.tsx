import { brand } from "../ui/brand.js";

/** The company's own words and its legal links. */
export const BrandFoot = ({ className }: { readonly className: string }) =>
  brand.footer === null && brand.links.length === 0 ? null : (
    <footer className={`flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted print:hidden ${className}`}>
      {brand.footer !== null && (
        <p dir="auto" className="wrap-anywhere">
          {brand.footer}
        </p>
      )}
      {brand.links.map(({ label, url }) => (
        <a
          key={`${label} ${url}`}
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          dir="auto"
          className="underline"
        >
          {label}
        </a>
      ))}
    </footer>
  );

/** Paper has no navigation to say whose it is. */
export const PrintHead = () => (
  <p className="mb-4 hidden items-center gap-2 font-semibold print:flex">
    <img src={brand.logo} alt="" className="size-6 object-contain" />
    <span dir="auto">{brand.name}</span>
  </p>
);

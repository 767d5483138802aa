import { Copy } from "./copy.js";

/** Texts to copy, each below its title. */
export const CopyList = ({
  items,
}: {
  readonly items: readonly { readonly title: string; readonly text: string }[];
}) => (
  <ul className="grid gap-4">
    {items.map(({ title, text }) => (
      <li key={title} className="grid min-w-0 gap-1">
        <h3 className="text-sm font-medium">{title}</h3>
        <Copy text={text} label={title} />
      </li>
    ))}
  </ul>
);

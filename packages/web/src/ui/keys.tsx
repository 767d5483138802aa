import { say } from "@curtail/words/page";
import { printedKeys } from "./key-press.js";
import { useShortcutsAreOn } from "./shortcut-choice.js";
import { useDeclaredKeys } from "./use-keys.js";

/** The keys of a shortcut: `g b` as two keys. */
export const Keys = ({ keys }: { readonly keys: string }) => (
  <span className="inline-flex shrink-0 gap-1">
    {printedKeys(keys).map((key) => (
      <kbd
        key={key}
        className="min-w-6 rounded border border-line bg-surface px-1.5 py-0.5 text-center font-sans text-xs font-medium text-muted"
      >
        {key}
      </kbd>
    ))}
  </span>
);

/** The last line of a page: its keys. Without a keyboard, nobody misses it. */
export const KeyLine = () => {
  const sections = useDeclaredKeys();
  const isOn = useShortcutsAreOn();
  const keys = sections.filter(({ place }) => place === "page").flatMap((section) => section.keys);
  if (!isOn) return null;
  return (
    <p className="page-foot mt-4 flex flex-wrap gap-x-3.5 gap-y-1.5 text-xs text-muted max-md:hidden print:hidden">
      {[...keys, { keys: "?", label: say("all keys") }].map(({ keys: each, label }) => (
        <span key={each} className="inline-flex items-center gap-1.5 whitespace-nowrap">
          <Keys keys={each} /> {label}
        </span>
      ))}
    </p>
  );
};

import { shortcutsOf } from "../rules/shortcuts.js";
import { Button } from "../ui/button.js";
import { Actions, Dialog } from "../ui/dialog.js";
import { switchShortcuts, useShortcutsAreOn } from "../ui/shortcut-choice.js";
import { Keys } from "./palette.js";

/** Lists the keys that do something, and switches single keys off. */
export const ShortcutHelp = ({
  side,
  writes,
  onClose,
}: {
  readonly side: string;
  readonly writes: boolean;
  readonly onClose: () => void;
}) => {
  const isOn = useShortcutsAreOn();
  return (
    <Dialog title="Keyboard shortcuts" open onClose={onClose}>
      <Section title="Everywhere" keys={everywhere} />
      <Section title="Go to" keys={shortcutsOf(side, writes).map(({ keys, label }) => [keys, label] as const)} />
      <Section title="On a chart" keys={onChart} />
      <label className="mt-4 flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-1 size-4 accent-[var(--accent)]"
          checked={isOn}
          onChange={({ target }) => switchShortcuts(target.checked)}
        />
        <span>
          Shortcuts of single keys
          <span className="block text-sm text-muted">
            Switch them off if you dictate or if keys are pressed by accident. Ctrl K still opens the search.
          </span>
        </span>
      </label>
      <Actions>
        <Button onClick={onClose}>Close</Button>
      </Actions>
    </Dialog>
  );
};

const everywhere = [
  ["Ctrl K", "Search, also ⌘ K"],
  ["/", "Search"],
  ["?", "This list"],
  ["[", "Period before, where a page has periods"],
  ["]", "Period after"],
] as const;

const onChart = [
  ["← →", "Move through the values"],
  ["+ -", "Zoom in and out, also Ctrl and the wheel"],
  ["Esc", "Reset the zoom"],
] as const;

const Section = ({
  title,
  keys,
}: {
  readonly title: string;
  readonly keys: ReadonlyArray<readonly [keys: string, label: string]>;
}) => (
  <section className="mt-3 first-of-type:mt-0">
    <h3 className="mb-1 text-sm font-medium text-muted">{title}</h3>
    <dl className="grid grid-cols-[6rem_1fr] items-center gap-x-3 gap-y-1.5">
      {keys.map(([each, label]) => (
        <div key={each} className="contents">
          <dt>
            <Keys keys={each} />
          </dt>
          <dd>{label}</dd>
        </div>
      ))}
    </dl>
  </section>
);

import { say } from "@curtail/words/page";
import { Button } from "../ui/button.js";
import { Actions, Dialog } from "../ui/dialog.js";
import type { Shortcut } from "../ui/key-press.js";
import { Keys } from "../ui/keys.js";
import { switchShortcuts, useShortcutsAreOn } from "../ui/shortcut-choice.js";
import { type KeyPlace, useDeclaredKeys } from "../ui/use-keys.js";

/** Lists the keys that do something, and switches single keys off. */
export const ShortcutHelp = ({ onClose }: { readonly onClose: () => void }) => {
  const isOn = useShortcutsAreOn();
  const sections = useDeclaredKeys();
  const at = (place: KeyPlace) => sections.filter((each) => each.place === place);
  return (
    <Dialog title={say("Keyboard shortcuts")} open onClose={onClose}>
      {[...at("page"), ...at("frame"), onChart].map(({ title, keys }) => (
        <Section key={title} title={title} keys={keys} />
      ))}
      <label className="mt-4 flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-1 size-4 accent-[var(--accent)]"
          checked={isOn}
          onChange={({ target }) => switchShortcuts(target.checked)}
        />
        <span>
          {say("Shortcuts of single keys")}
          <span className="block text-sm text-muted">
            {say("Switch them off if you dictate or if keys are pressed by accident. Ctrl K still opens the search.")}
          </span>
        </span>
      </label>
      <Actions>
        <Button onClick={onClose}>{say("Close")}</Button>
      </Actions>
    </Dialog>
  );
};

const onChart = {
  title: say("On a chart"),
  keys: [
    { keys: "ArrowLeft ArrowRight", label: say("Move through the values") },
    { keys: "+ -", label: say("Zoom in and out, also Ctrl and the wheel") },
    { keys: "Escape", label: say("Reset the zoom") },
  ],
} as const;

const Section = ({ title, keys }: { readonly title: string; readonly keys: readonly Shortcut[] }) => (
  <section className="mt-3 first-of-type:mt-0">
    <h3 className="mb-1 text-sm font-medium text-muted">{title}</h3>
    <dl className="grid grid-cols-[6rem_1fr] items-center gap-x-3 gap-y-1.5">
      {keys.map(({ keys: each, label }) => (
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

import { MAX_METER_DATA_BYTES } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useId } from "react";
import { useNotify } from "../../ui/notify.js";

/** Chooses the file that is imported. */
export const FileInput = ({
  chosen,
  disabled,
  onChoose,
}: {
  /** Name of the file that is shown below. */
  readonly chosen: string | null;
  /** While a file is being imported. */
  readonly disabled: boolean;
  /** null: the file that was chosen cannot be imported. */
  readonly onChoose: (file: File | null) => void;
}) => {
  const id = useId();
  const notify = useNotify();
  const choose = (file: File | undefined): void => {
    if (file === undefined) return;
    const isSmall = file.size <= MAX_METER_DATA_BYTES;
    if (!isSmall)
      notify.bad(
        say("{file} has more than {n} MB; split it into several files.", {
          file: file.name,
          n: MAX_METER_DATA_BYTES / 1024 / 1024,
        }),
      );
    onChoose(isSmall ? file : null);
  };
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {say("Choose a file")}
      </label>
      <div className="flex flex-wrap items-center gap-x-3">
        <input
          id={id}
          type="file"
          accept=".xml,.csv,.txt,.tsv,application/xml,text/csv,text/plain,text/tab-separated-values"
          aria-describedby={`${id}-chosen ${id}-hint`}
          disabled={disabled}
          // The name that the browser shows would be gone with the value, so the page shows it.
          className="w-28 text-sm text-transparent file:min-h-9 file:rounded-lg file:border-0 file:bg-accent-soft file:px-3 file:font-medium file:text-accent disabled:opacity-55"
          onChange={({ target }) => {
            choose(target.files?.[0]);
            // A file that was corrected in its place can be chosen again.
            target.value = "";
          }}
        />
        <span id={`${id}-chosen`} className="min-w-0 text-sm break-words">
          {chosen ?? say("No file chosen")}
        </span>
      </div>
      <p id={`${id}-hint`} className="text-sm text-muted">
        {say(
          "CSV of any layout, Green Button (XML) or NEM12. The file is checked at once; nothing is stored until you import it.",
        )}
      </p>
    </div>
  );
};

import { MAX_METER_DATA_BYTES } from "@curtail/contract/constants";
import { useId } from "react";
import { useNotify } from "../../ui/notify.js";

/** Chooses the file that is imported. */
export const FileInput = ({ onChoose }: { readonly onChoose: (file: File) => void }) => {
  const id = useId();
  const notify = useNotify();
  const choose = (file: File | undefined): void => {
    if (file === undefined) return;
    if (file.size <= MAX_METER_DATA_BYTES) onChoose(file);
    else
      notify.bad(`${file.name} has more than ${MAX_METER_DATA_BYTES / 1024 / 1024} MB; split it into several files.`);
  };
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        Choose a file
      </label>
      <input
        id={id}
        type="file"
        accept=".xml,.csv,.txt,.tsv,application/xml,text/csv,text/plain,text/tab-separated-values"
        aria-describedby={`${id}-hint`}
        className="w-full text-sm file:mr-3 file:min-h-9 file:rounded-lg file:border-0 file:bg-accent-soft file:px-3 file:font-medium file:text-accent"
        onChange={({ target }) => choose(target.files?.[0])}
      />
      <p id={`${id}-hint`} className="text-sm text-muted">
        CSV of any layout, Green Button (XML) or NEM12. The file is checked at once; nothing is stored until you import
        it.
      </p>
    </div>
  );
};

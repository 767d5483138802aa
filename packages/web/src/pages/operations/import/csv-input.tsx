import { MAX_IMPORT_LINES } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useId } from "react";
import { TextArea } from "../../../ui/field.js";
import { useNotify } from "../../../ui/notify.js";

/** Larger than any file of that many lines: a line has fewer than 1,000 bytes. */
const MAX_FILE_BYTES = MAX_IMPORT_LINES * 1000;

/** A chosen file or pasted text, which can be edited before it is sent. */
export const CsvInput = ({ csv, onChange }: { readonly csv: string; readonly onChange: (csv: string) => void }) => {
  const id = useId();
  const notify = useNotify();
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > MAX_FILE_BYTES)
      return notify.bad(
        say("{file} is too large; split it into files of {n, plural, one {# line} other {# lines}}.", {
          file: file.name,
          n: MAX_IMPORT_LINES,
        }),
      );
    onChange(await file.text());
  };
  return (
    <div className="grid gap-3">
      <div className="grid gap-1">
        <label htmlFor={id} className="text-sm font-medium">
          {say("Choose a file")}
        </label>
        <input
          id={id}
          type="file"
          accept=".csv,text/csv,text/plain"
          className="w-full text-sm file:mr-3 file:min-h-9 file:rounded-lg file:border-0 file:bg-accent-soft file:px-3 file:font-medium file:text-accent"
          onChange={({ target }) => {
            void read(target.files?.[0]);
            // Lets the user choose the same file again after correcting it.
            target.value = "";
          }}
        />
      </div>
      <TextArea
        label={say("Or paste its content")}
        hint={say("Nothing is imported until you confirm.")}
        rows={8}
        wrap="off"
        spellCheck={false}
        value={csv}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
};

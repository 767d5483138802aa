import type { operator } from "@curtail/contract";
import { MAX_METER_DATA_BYTES } from "@curtail/contract/constants";
import { useId, useState } from "react";
import { useChange } from "../api/use-change.js";
import { counted } from "../format/quantity.js";
import { emptyMeterData, type MeterDataDraft, meterDataKey, meterDataQuery } from "../rules/meter-data-draft.js";
import { Button } from "../ui/button.js";
import { DialogButton } from "../ui/dialog-button.js";
import { Checkbox, Field } from "../ui/field.js";
import { useNotify } from "../ui/notify.js";
import type { MeterDataScope } from "./meter-data-scope.js";
import { MeterDataFaults, MeterDataTable } from "./meter-data-table.js";

/** Imports meter data from a file, after a dry run. */
export const ImportMeterData = ({ scope }: { readonly scope: MeterDataScope }) => (
  <DialogButton label="Import meter data" title="Import meter data">
    {(close) => <Import scope={scope} onDone={close} />}
  </DialogButton>
);

/** A result is valid only for what was sent. */
interface Tried {
  readonly key: string;
  readonly result: operator.MeterDataResult;
}

const Import = ({ scope, onDone }: { readonly scope: MeterDataScope; readonly onDone: () => void }) => {
  const [file, setFile] = useState<File | null>(null);
  const [draft, setDraft] = useState<MeterDataDraft>(emptyMeterData);
  const [tried, setTried] = useState<Tried | null>(null);
  const key = file === null ? "" : meterDataKey(file, draft);
  const send = (chosen: File, dry_run: boolean) => scope.send(chosen, { ...meterDataQuery(draft), dry_run });
  const dryRun = useChange((chosen: File) => send(chosen, true), { after: (result) => setTried({ key, result }) });
  const write = useChange((chosen: File) => send(chosen, false), {
    done: ({ intervals }) => `${counted(intervals, "interval")} imported.`,
    after: onDone,
  });
  const isCurrent = tried?.key === key;
  const result = tried?.result ?? null;
  const mayImport = isCurrent && result?.fault_count === 0;
  return (
    <div className="grid gap-3">
      <FileInput
        onChoose={(chosen) => {
          setFile(chosen);
          setDraft((before) => ({ ...before, choices: {} }));
          setTried(null);
        }}
      />
      <Options draft={draft} timezone={scope.timezone} onChange={setDraft} />
      {result !== null && <MeterDataTable result={result} scope={scope} draft={draft} onChange={setDraft} />}
      {result !== null && isCurrent && result.fault_count > 0 && <MeterDataFaults result={result} />}
      {result !== null && !isCurrent && (
        <p className="text-muted">Your choice has changed since the dry run. Run it again.</p>
      )}
      <div className="mt-2 flex flex-row-reverse flex-wrap justify-start gap-2">
        <Button
          look={mayImport ? "plain" : "primary"}
          disabled={file === null}
          busy={dryRun.isPending && "Checking…"}
          onClick={() => file !== null && dryRun.run(file)}
        >
          Dry run
        </Button>
        {mayImport && file !== null && (
          <Button look="primary" busy={write.isPending && "Importing…"} onClick={() => write.run(file)}>
            Import {counted(result.intervals, "interval")}
          </Button>
        )}
      </div>
    </div>
  );
};

const FileInput = ({ onChoose }: { readonly onChoose: (file: File) => void }) => {
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
        accept=".xml,.csv,.txt,application/xml,text/csv,text/plain"
        aria-describedby={`${id}-hint`}
        className="w-full text-sm file:mr-3 file:min-h-9 file:rounded-lg file:border-0 file:bg-accent-soft file:px-3 file:font-medium file:text-accent"
        onChange={({ target }) => choose(target.files?.[0])}
      />
      <p id={`${id}-hint`} className="text-sm text-muted">
        Green Button (XML), NEM12 or CSV. Nothing is stored until you confirm.
      </p>
    </div>
  );
};

const Options = ({
  draft,
  timezone,
  onChange,
}: {
  readonly draft: MeterDataDraft;
  readonly timezone: string;
  readonly onChange: (draft: MeterDataDraft) => void;
}) => (
  <>
    <Field
      label="Time zone of times without an offset (optional)"
      hint={`For CSV, for example ${timezone}. For NEM12 an offset; its default is +10:00.`}
      value={draft.timezone}
      onChange={({ target }) => onChange({ ...draft, timezone: target.value })}
    />
    <Checkbox
      label="Leave out estimated and substituted values"
      checked={draft.leavesOutEstimated}
      onChange={({ target }) => onChange({ ...draft, leavesOutEstimated: target.checked })}
    />
  </>
);

import { say } from "@curtail/words/page";
import { type ReportPeriod, type ReportSearch, reportPeriods } from "../rules/report-period.js";
import { Button } from "../ui/button.js";
import { Field } from "../ui/field.js";

/** Selects a preset period, or its first and last day. */
export const ReportPeriods = ({
  search,
  period,
  onChange,
}: {
  readonly search: ReportSearch;
  /** null: the days are not a period. */
  readonly period: ReportPeriod | null;
  readonly onChange: (part: ReportSearch) => void;
}) => {
  const chosen = search.period ?? "month";
  const [from, to] = [search.from ?? period?.from ?? "", search.to ?? period?.to ?? ""];
  const custom = (part: Partial<ReportPeriod>) => onChange({ period: "custom", from, to, ...part });
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-1 px-4 pt-3">
      <div role="group" aria-label={say("Period")} className="flex flex-wrap gap-1.5 pb-1">
        {reportPeriods.map(({ id, label }) => (
          <Button
            key={id}
            aria-pressed={id === chosen}
            look={id === chosen ? "primary" : "plain"}
            onClick={() => onChange({ period: id, from: "", to: "" })}
          >
            {label}
          </Button>
        ))}
      </div>
      <div className="w-44">
        <Field
          label={say("First day")}
          type="date"
          value={chosen === "custom" ? from : (period?.from ?? "")}
          onChange={({ target }) => custom({ from: target.value, to: chosen === "custom" ? to : (period?.to ?? "") })}
        />
      </div>
      <div className="w-44">
        <Field
          label={say("Last day")}
          type="date"
          value={chosen === "custom" ? to : (period?.to ?? "")}
          onChange={({ target }) =>
            custom({ to: target.value, from: chosen === "custom" ? from : (period?.from ?? "") })
          }
        />
      </div>
    </div>
  );
};

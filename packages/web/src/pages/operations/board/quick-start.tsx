import { say } from "@curtail/words/page";
import { useOperatorList } from "../../../api/use-call.js";
import { ButtonLink } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { sayParts } from "../../../ui/say-parts.js";
import { Empty, Waiting } from "../../../ui/state.js";

/** As asked for by the HTML of the board (`build/first-loads.ts`). */
const SHOWN = 12;

/** Starts a dispatch of all sites of a program now. A preview asks for confirmation. */
export const QuickStart = () => {
  const { items, isPending } = useOperatorList("/programs", { query: { limit: SHOWN } });
  if (isPending) return <Waiting />;
  return (
    <Card title={say("Start now")}>
      {items.length === 0 ? (
        <Empty>{say("No program yet. Create one under Programs, and enrol sites in it.")}</Empty>
      ) : (
        <ul className="divide-y divide-line">
          {items.map(({ id, name }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-2 py-2">
              <span className="min-w-0 font-medium break-words">{name}</span>
              <span className="flex flex-wrap gap-2">
                <Start id={id} name={name} minutes="60" label="1 h" />
                <Start id={id} name={name} minutes="0" label={say("open-ended")} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="mt-2 text-sm text-muted">
        {say("Dispatches all enrolled sites from now. You see a preview before anyone is notified.")}
      </p>
    </Card>
  );
};

const Start = ({
  id,
  name,
  minutes,
  label,
}: {
  readonly id: string;
  readonly name: string;
  readonly minutes: string;
  readonly label: string;
}) => (
  <ButtonLink to="/operations/dispatches/new" search={{ program: id, minutes }}>
    {sayParts("<hidden>Start {program},</hidden> Now, {length}", {
      program: name,
      length: label,
      hidden: (inside) => <span className="sr-only">{inside}</span>,
    })}
  </ButtonLink>
);

import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useUser } from "../../api/session.js";
import { useOperatorList } from "../../api/use-call.js";
import { count, power } from "../../format/quantity.js";
import { DispatchName, DispatchWhen } from "../../parts/dispatch-cells.js";
import { mayWrite } from "../../rules/role.js";
import { ButtonLink } from "../../ui/button.js";
import { Card, PageHead } from "../../ui/card.js";
import { Select } from "../../ui/field.js";
import { ListTable } from "../../ui/table.js";
import { Tabs } from "../../ui/tabs.js";
import { TextLink } from "../../ui/text-link.js";
import { useNow } from "../../ui/use-now.js";
import { PastDispatches } from "./past-dispatches/past-dispatches.js";
import { usePrograms } from "./use-programs.js";

const route = getRouteApi("/operations/dispatches");

const states = {
  active: [say("In progress", {}, "dispatches"), say("No dispatches in progress.")],
  upcoming: [say("Upcoming", {}, "dispatches"), say("No upcoming dispatches.")],
  past: [say("Past", {}, "dispatches"), say("No past dispatches.")],
  cancelled: [say("Cancelled", {}, "dispatches"), say("No cancelled dispatches.")],
  all: [say("All", {}, "dispatches"), say("No dispatches yet. Choose New dispatch to issue one.")],
} as const;

type State = keyof typeof states;
const isState = (state: string): state is State => state in states;

/** All dispatches: past, current and upcoming. */
export const DispatchesPage = () => {
  const { state = "active", program = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const writes = mayWrite(useUser());
  return (
    <>
      <PageHead
        title={say("Dispatches")}
        actions={
          writes && (
            <ButtonLink to="/operations/dispatches/new" search={program === "" ? {} : { program }} look="primary">
              {say("New dispatch")}
            </ButtonLink>
          )
        }
      />
      <div className="mb-3 max-w-xs">
        <ProgramFilter
          chosen={program}
          onChoose={(next) =>
            void navigate({
              search: (before) => ({ ...before, program: next }),
            })
          }
        />
      </div>
      <Tabs
        chosen={isState(state) ? state : "active"}
        onChoose={(next) => void navigate({ search: (before) => ({ ...before, state: next }) })}
        tabs={Object.entries(states).map(([id, [label, empty]]) => ({
          id,
          label,
          content: () =>
            id === "past" ? <PastDispatches /> : <Dispatches state={id as State} program={program} empty={empty} />,
        }))}
      />
    </>
  );
};

const ProgramFilter = ({ chosen, onChoose }: { readonly chosen: string; readonly onChoose: (id: string) => void }) => {
  const { items } = usePrograms();
  return (
    <Select
      label={say("Program")}
      value={chosen}
      onChange={(event) => onChoose(event.target.value)}
      choices={[
        { value: "", label: say("All programs") },
        ...items.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
};

const Dispatches = ({
  state,
  program,
  empty,
}: {
  readonly state: State;
  readonly program: string;
  readonly empty: string;
}) => {
  const now = useNow();
  const query = {
    sites: "omit" as const,
    limit: 50,
    ...(state === "all" ? {} : { state }),
    ...(program === "" ? {} : { program_id: program }),
  };
  return (
    <Card flush>
      <ListTable<operator.ListedDispatch>
        label={say("Dispatches: {state}", { state: states[state][0] })}
        list={useOperatorList("/dispatches", { query })}
        keyOf={({ id }) => id}
        empty={program === "" ? empty : `${empty} ${say("Other programs may have some.")}`}
        columns={[
          { head: say("Program"), cell: (dispatch) => <Name dispatch={dispatch} now={now} /> },
          { head: say("When"), cell: (dispatch) => <DispatchWhen dispatch={dispatch} now={now} /> },
          { head: say("Sites"), number: true, wide: true, cell: ({ site_count }) => count(site_count) },
          { head: say("Commitment"), number: true, wide: true, cell: ({ commitment_kw }) => power(commitment_kw) },
          {
            head: say("Changes"),
            number: true,
            wide: true,
            cell: ({ modification_number }) => count(modification_number),
          },
        ]}
      />
    </Card>
  );
};

const Name = ({ dispatch, now }: { readonly dispatch: operator.ListedDispatch; readonly now: Date }) => (
  <>
    <DispatchName dispatch={dispatch} now={now}>
      <TextLink to="/operations/dispatches/$id" params={{ id: dispatch.id }}>
        {dispatch.program.name}
      </TextLink>
    </DispatchName>
    <div className="text-muted md:hidden">{power(dispatch.commitment_kw)}</div>
  </>
);

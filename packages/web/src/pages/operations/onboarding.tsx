import type { operator, ReplyOf } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useHint, useUser } from "../../api/session.js";
import { useOperatorList } from "../../api/use-call.js";
import { Certified } from "../../parts/certified.js";
import { isFinished } from "../../rules/first-steps.js";
import { mayWrite } from "../../rules/role.js";
import { Button } from "../../ui/button.js";
import { Card, PageHead } from "../../ui/card.js";
import { Select } from "../../ui/field.js";
import { Filters } from "../../ui/filters.js";
import { type Column, ListTable } from "../../ui/table.js";
import { TextLink } from "../../ui/text-link.js";
import { AccountLink } from "./account-link.js";
import { useIsDemoThere } from "./demo/use-demo.js";
import { FirstStepsCard, FirstTest } from "./first-steps/first-steps-card.js";
import { useFirstSteps } from "./first-steps/use-first-steps.js";
import { Mark, stepWords } from "./site/onboarding-step.js";
import { useDisplay } from "./site/use-display.js";

const route = getRouteApi("/operations/onboarding");

/** Progress of sites towards production; incomplete ones first. */
export const OnboardingPage = () => {
  const { show = "open" } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useOperatorList("/onboarding", { query: show === "all" ? {} : { open: "true" } }, { everyMs: 30_000 });
  return (
    <>
      <PageHead
        title={say("Onboarding")}
        lead={say(
          "A site is in production once its data streams, its data is visible and a test dispatch has succeeded.",
        )}
      />
      <FirstSteps />
      <Card flush>
        <Filters>
          <Select
            label={say("Show", {}, "verb")}
            choices={[
              { value: "open", label: say("Sites with steps left") },
              { value: "all", label: say("All sites") },
            ]}
            value={show}
            onChange={({ target }) => void navigate({ search: { show: target.value }, replace: true })}
          />
        </Filters>
        <ListTable<Item>
          label={say("Sites")}
          list={list}
          keyOf={({ site_id }) => site_id}
          empty={show === "all" ? say("No sites yet.") : say("All sites are in production. New sites appear here.")}
          columns={columns}
        />
      </Card>
    </>
  );
};

/** Also of those who put the card on the board away. A simulated site can be tested at any time. */
const FirstSteps = () => {
  const { isDismissed, dismiss } = useHint("first_steps");
  const isDemo = useIsDemoThere();
  const { data } = useFirstSteps();
  if (data === undefined || isDemo) return null;
  if (isFinished(data))
    return (
      <div className="mb-4">
        <FirstTest />
      </div>
    );
  return (
    <div className="mb-4">
      <FirstStepsCard
        of={data}
        actions={isDismissed && <Button onClick={() => void dismiss(false)}>{say("Show on the board")}</Button>}
      />
    </div>
  );
};

type Item = ReplyOf<typeof operator.listOnboarding>["items"][number];
const steps = ["data_streaming", "display_enabled", "dispatch_verified"] as const;

const columns: readonly Column<Item>[] = [
  {
    head: say("Site"),
    cell: ({ site_id, name }) => (
      <TextLink to="/operations/sites/$id" params={{ id: site_id }}>
        {name}
      </TextLink>
    ),
  },
  {
    head: say("Account"),
    cell: ({ account_id, account_name }) => <AccountLink id={account_id} name={account_name} />,
    wide: true,
  },
  { head: stepWords.data_streaming, cell: ({ data_streaming }) => <Mark done={data_streaming} /> },
  { head: stepWords.display_enabled, cell: (item) => <Visibility of={item} /> },
  { head: stepWords.dispatch_verified, cell: ({ dispatch_verified }) => <Mark done={dispatch_verified} /> },
  { head: say("Integration"), cell: ({ integration }) => <Certified of={integration} />, wide: true },
  {
    head: say("Done", {}, "steps"),
    cell: (item) => say("{part} of {all}", { part: steps.filter((step) => item[step]).length, all: steps.length }),
    number: true,
  },
];

/** Whether users of the account see the data; an operator makes it visible. */
const Visibility = ({ of: { site_id, name, display_enabled } }: { readonly of: Item }) => {
  const writes = mayWrite(useUser());
  const display = useDisplay(site_id);
  if (display_enabled || !writes) return <Mark done={display_enabled} />;
  return (
    <Button
      aria-label={say("Make the data of {name} visible", { name })}
      onClick={() => display.run(true)}
      busy={display.isPending && say("One moment…")}
    >
      {say("Make visible")}
    </Button>
  );
};

import type { operator, ReplyOf } from "@curtail/contract";
import { getRouteApi } from "@tanstack/react-router";
import { useOperatorList } from "../../api/use-call.js";
import { Card, PageHead } from "../../ui/card.js";
import { Select } from "../../ui/field.js";
import { Filters } from "../../ui/filters.js";
import { type Column, ListTable } from "../../ui/table.js";
import { TextLink } from "../../ui/text-link.js";
import { AccountLink } from "./account-link.js";
import { Mark, stepWords } from "./site/onboarding-step.js";

const route = getRouteApi("/operations/onboarding");

/** Progress of sites towards production; incomplete ones first. */
export const OnboardingPage = () => {
  const { show = "open" } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useOperatorList("/onboarding", { query: show === "all" ? {} : { open: "true" } }, { everyMs: 30_000 });
  return (
    <>
      <PageHead
        title="Onboarding"
        lead="A site is in production once its data streams, its data is visible and a test dispatch has succeeded."
      />
      <Card flush>
        <Filters>
          <Select
            label="Show"
            choices={[
              { value: "open", label: "Sites with steps left" },
              { value: "all", label: "All sites" },
            ]}
            value={show}
            onChange={({ target }) => void navigate({ search: { show: target.value }, replace: true })}
          />
        </Filters>
        <ListTable<Item>
          label="Sites"
          list={list}
          keyOf={({ site_id }) => site_id}
          empty={show === "all" ? "No sites yet." : "All sites are in production. New sites appear here."}
          columns={columns}
        />
      </Card>
    </>
  );
};

type Item = ReplyOf<typeof operator.listOnboarding>["items"][number];
const steps = ["data_streaming", "display_enabled", "dispatch_verified"] as const;

const columns: readonly Column<Item>[] = [
  {
    head: "Site",
    cell: ({ site_id, name }) => (
      <TextLink to="/operations/sites/$id" params={{ id: site_id }}>
        {name}
      </TextLink>
    ),
  },
  {
    head: "Account",
    cell: ({ account_id, account_name }) => <AccountLink id={account_id} name={account_name} />,
    wide: true,
  },
  ...steps.map((step) => ({ head: stepWords[step], cell: (item: Item) => <Mark done={item[step]} /> })),
  { head: "Done", cell: (item) => `${steps.filter((step) => item[step]).length} of ${steps.length}`, number: true },
];

import { say } from "@curtail/words/page";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import { callOperator } from "../../../api/call.js";
import { useUser } from "../../../api/session.js";
import { useChange } from "../../../api/use-change.js";
import { percent } from "../../../format/quantity.js";
import { DemoNotice } from "../../../parts/demo-notice.js";
import { type Demo, demoNews, demoWords } from "../../../rules/demo.js";
import { isOperatorAdmin } from "../../../rules/role.js";
import { ConfirmButton } from "../../../ui/dialog-button.js";
import { useNotify } from "../../../ui/notify.js";
import { useDemo } from "./use-demo.js";

/** Operators remove the demo here. */
export const DemoBanner = () => {
  const { data } = useDemo();
  useNews(data?.state);
  const words = data === undefined ? null : demoWords(data);
  if (data === undefined || words === null) return null;
  return (
    <DemoNotice words={words}>
      {data.progress !== null && <Progress of={data.progress} />}
      {data.state !== "removing" && <RemoveDemo />}
    </DemoNotice>
  );
};

const Progress = ({ of }: { readonly of: number }) => (
  <span className="flex items-center gap-2 text-sm text-warn">
    <progress aria-label={say("Progress")} value={of} className="h-2 w-28 [accent-color:var(--warn)]" />
    {percent(of)}
  </span>
);

const RemoveDemo = () => {
  const remove = useChange(() => callOperator("DELETE", "/demo", {}));
  return (
    isOperatorAdmin(useUser()) && (
      <span className="print:hidden">
        <ConfirmButton
          label={say("Remove the demo")}
          look="danger"
          title={say("Remove the demo?")}
          run={() => remove.run(undefined)}
          busy={remove.isPending}
        >
          <p>
            {say(
              "Deletes all accounts with everything that belongs to them: sites, readings, dispatches with their results, statements, users, contacts, keys and webhooks. Notifications that are still to be sent are dropped.",
            )}
          </p>
          <p className="mt-2">
            {say(
              "Keeps operator users, programs that you created, and the audit log. Then you can add accounts of your own.",
            )}
          </p>
        </ConfirmButton>
      </span>
    )
  );
};

/** Says that the demo is ready or gone, and fetches again what pages show of it. */
const useNews = (state: Demo["state"] | undefined): void => {
  const queries = useQueryClient();
  const notify = useNotify();
  const before = useRef(state);
  const tell = useEffectEvent((after: Demo["state"]) => {
    const news = demoNews(before.current, after);
    if (news !== null) notify.good(news);
    if (before.current !== undefined && before.current !== after) void queries.invalidateQueries();
    before.current = after;
  });
  useEffect(() => {
    if (state !== undefined) tell(state);
  }, [state]);
};

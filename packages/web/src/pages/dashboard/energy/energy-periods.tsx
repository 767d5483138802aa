import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { fromLocalInput, toLocalInput } from "../../../format/local-time.js";
import { periodOf, periods } from "../../../rules/energy-period.js";
import { Button } from "../../../ui/button.js";
import { Actions, Dialog } from "../../../ui/dialog.js";
import { Form } from "../../../ui/form.js";
import { LocalTimeField } from "../../../ui/local-time-field.js";

const route = getRouteApi("/dashboard/energy");

/** Selects a preset period, or a start and an end. */
export const EnergyPeriods = ({ timeZone }: { readonly timeZone: string }) => {
  const { period = "today" } = route.useSearch();
  const navigate = route.useNavigate();
  const [asking, setAsking] = useState(false);
  const choose = (id: string) =>
    void navigate({
      search: ({ site, view }) => ({ ...(site ? { site } : {}), ...(view ? { view } : {}), period: id }),
    });
  return (
    <div role="group" aria-label={say("Period")} className="flex flex-wrap gap-1.5">
      {periods.map(({ id, label }) => (
        <Button
          key={id}
          aria-pressed={id === period}
          look={id === period ? "primary" : "plain"}
          onClick={() => choose(id)}
        >
          {label}
        </Button>
      ))}
      <Button
        aria-pressed={period === "custom"}
        aria-haspopup="dialog"
        look={period === "custom" ? "primary" : "plain"}
        onClick={() => setAsking(true)}
      >
        {say("From – to")}
      </Button>
      <Dialog title={say("From – to")} open={asking} onClose={() => setAsking(false)}>
        <FromTo timeZone={timeZone} onClose={() => setAsking(false)} />
      </Dialog>
    </div>
  );
};

const FromTo = ({ timeZone, onClose }: { readonly timeZone: string; readonly onClose: () => void }) => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [shown] = useState(() => periodOf(search, timeZone, new Date()));
  const [from, setFrom] = useState(() => toLocalInput(shown?.start ?? new Date(), timeZone));
  const [to, setTo] = useState(() => toLocalInput(shown?.end ?? new Date(), timeZone));
  const [start, end] = [fromLocalInput(from, timeZone), fromLocalInput(to, timeZone)];
  const isBackward = start !== null && end !== null && start >= end;
  const show = () => {
    if (start === null || end === null || isBackward) return;
    onClose();
    void navigate({
      search: ({ site, view }) => ({
        ...(site ? { site } : {}),
        ...(view ? { view } : {}),
        period: "custom",
        from: start.toISOString(),
        to: end.toISOString(),
      }),
    });
  };
  return (
    <Form onSend={show}>
      <LocalTimeField
        label={say("From")}
        name="from"
        value={from}
        onChange={setFrom}
        timeZone={timeZone}
        fault={
          start === null
            ? say("This time does not exist in the site's time zone, because the clocks go forward.")
            : null
        }
      />
      <LocalTimeField
        label={say("To")}
        name="to"
        value={to}
        onChange={setTo}
        timeZone={timeZone}
        fault={isBackward ? say("The end must be after the start.") : null}
      />
      <Actions>
        <Button type="submit" look="primary" disabled={start === null || end === null || isBackward}>
          {say("Show")}
        </Button>
        <Button onClick={onClose}>{say("Back")}</Button>
      </Actions>
    </Form>
  );
};

import { useOperator } from "../../../api/use-call.js";
import { DeliveredChart } from "../dispatch/delivered-chart.js";

const HEIGHT_PX = 150;

/** What all sites of a dispatch deliver together, so far. */
export const DeliveryCurve = ({
  id,
  timeZone,
  committedKw,
  everyMs,
}: {
  readonly id: string;
  readonly timeZone: string;
  readonly committedKw: number;
  readonly everyMs: number;
}) => {
  const { data } = useOperator("/dispatches/{id}/performance/curve", { params: { id }, query: {} }, { everyMs });
  if (data === undefined) return null;
  return (
    <DeliveredChart curve={data} view="delivered" timeZone={timeZone} committedKw={committedKw} heightPx={HEIGHT_PX} />
  );
};

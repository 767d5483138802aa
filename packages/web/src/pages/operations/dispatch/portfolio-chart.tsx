import type { operator } from "@curtail/contract";
import { type ReactNode, useState } from "react";
import { useOperator } from "../../../api/use-call.js";
import { useZoomInAddress } from "../../../chart/use-zoom-in-address.js";
import { Button } from "../../../ui/button.js";
import { Card } from "../../../ui/card.js";
import { Answered } from "../../../ui/state.js";
import { DeliveredChart, type View } from "./delivered-chart.js";

/** A dispatch and a version of its results. */
export interface ShownResult {
  readonly id: string;
  readonly timeZone: string;
  readonly version?: number;
}

/** Reduction of all sites together over time. */
export const PortfolioChart = ({
  id,
  timeZone,
  version,
  committedKw,
  soFar,
}: ShownResult & {
  readonly committedKw: number;
  /** The curve of the sites measured so far, while the service loads the readings of the others. */
  readonly soFar: operator.PortfolioCurve | null;
}) => {
  const [view, setView] = useState<View>("delivered");
  const zoom = useZoomInAddress();
  const query = version === undefined ? {} : { version };
  const choice = (of: View, label: string) => (
    <Button look={view === of ? "primary" : "plain"} aria-pressed={view === of} onClick={() => setView(of)}>
      {label}
    </Button>
  );
  const drawn = (curve: operator.PortfolioCurve) => (
    <DeliveredChart curve={curve} view={view} timeZone={timeZone} committedKw={committedKw} zoom={zoom} />
  );
  return (
    <Card
      title="All sites"
      flush
      actions={
        <>
          {choice("delivered", "Delivered")}
          {choice("load", "Load and baseline")}
        </>
      }
    >
      <p className="px-4 pb-1 text-sm text-muted">Times are in {timeZone}.</p>
      {soFar === null ? <Whole id={id} query={query} drawn={drawn} /> : drawn(soFar)}
    </Card>
  );
};

const Whole = ({
  id,
  query,
  drawn,
}: {
  readonly id: string;
  readonly query: { readonly version?: number };
  readonly drawn: (curve: operator.PortfolioCurve) => ReactNode;
}) => <Answered of={useOperator("/dispatches/{id}/performance/curve", { params: { id }, query })}>{drawn}</Answered>;

import { say } from "@curtail/words/page";
import { power } from "../../../format/quantity.js";
import { directionOf, type Flow, type FlowPart, flowNames, flowVerb, flowWords } from "../../../rules/flow.js";

const WIDTH = 320;
const HEIGHT = 148;
const HUB = { x: WIDTH / 2, y: HEIGHT / 2 } as const;
const BOX = { width: 112, height: 62 } as const;

const places: Readonly<Record<FlowPart, { readonly x: number; readonly y: number }>> = {
  grid: { x: 0, y: 0 },
  load: { x: WIDTH - BOX.width, y: 0 },
  generation: { x: 0, y: HEIGHT - BOX.height },
  battery: { x: WIDTH - BOX.width, y: HEIGHT - BOX.height },
};

/** Where the power of a site comes from and goes to: words, arrows, and the same as text. */
export const FlowPicture = ({ flows, name }: { readonly flows: readonly Flow[]; readonly name: string }) => (
  <figure className="mt-3">
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="w-full max-w-md"
      role="img"
      aria-label={say("Flow of {site}. {flows}.", { site: name, flows: flows.map(flowWords).join(". ") })}
    >
      {flows.map((flow) => (
        <Wire key={flow.part} flow={flow} />
      ))}
      <circle cx={HUB.x} cy={HUB.y} r="7" className="fill-surface stroke-line-strong" strokeWidth="2" />
      {flows.map((flow) => (
        <Part key={flow.part} flow={flow} />
      ))}
    </svg>
    {flows.some(({ isDerived }) => isDerived) && (
      <figcaption className="text-xs text-muted">{say("* calculated from the other meters")}</figcaption>
    )}
  </figure>
);

/** The middle of the side of a box that faces the hub. */
const endOf = (part: FlowPart) => {
  const { x, y } = places[part];
  return { x: x === 0 ? BOX.width : x, y: y + BOX.height / 2 };
};

const Wire = ({ flow }: { readonly flow: Flow }) => {
  const direction = directionOf(flow);
  const box = endOf(flow.part);
  const hub = { x: HUB.x + (box.x < HUB.x ? -7 : 7), y: HUB.y };
  const isStill = direction === "none";
  const [from, to] = direction === "in" ? [box, hub] : [hub, box];
  const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  return (
    <>
      <line
        x1={from.x}
        y1={from.y}
        x2={to.x}
        y2={to.y}
        className={isStill ? "stroke-line" : "stroke-accent"}
        strokeWidth={isStill ? 1.5 : 2.5}
        {...(isStill ? { strokeDasharray: "4 4" } : {})}
      />
      {!isStill && (
        <path
          d="M-6,-6 L6,0 L-6,6 Z"
          transform={`translate(${middle.x} ${middle.y}) rotate(${angle})`}
          className="fill-accent"
        />
      )}
    </>
  );
};

const Part = ({ flow }: { readonly flow: Flow }) => {
  const { x, y } = places[flow.part];
  const value = flow.kw === null ? say("not known") : power(Math.abs(flow.kw));
  return (
    <g aria-hidden="true">
      <rect
        x={x + 0.75}
        y={y + 0.75}
        width={BOX.width - 1.5}
        height={BOX.height - 1.5}
        rx="9"
        className="fill-sunken stroke-line"
      />
      <text x={x + 10} y={y + 17} className="fill-muted" fontSize="11.5">
        {flowNames[flow.part]}
        {flow.isDerived ? " *" : ""}
      </text>
      <text x={x + 10} y={y + 36} className="fill-ink font-semibold" fontSize="16">
        {value}
      </text>
      <text x={x + 10} y={y + 53} className="fill-muted" fontSize="11.5">
        {flow.kw === null ? say("a meter is silent") : flowVerb(flow)}
      </text>
    </g>
  );
};

import { useState } from "react";
import { createRoot } from "react-dom/client";
import { curveColours } from "../src/chart/colours.js";
import { PowerChart } from "../src/chart/power-chart.js";
import "../src/styles.css";

const CURVES = 10;
const POINTS = 10_000;
const EPOCH_SECONDS = 1_780_000_000;

/** A page with a chart of ten curves of ten thousand points; `redraw` moves them all on by a cell. */
const Page = () => {
  const [shift, setShift] = useState(0);
  Object.assign(window, { redraw: () => setShift((before) => before + 1) });
  const timestamps = Array.from({ length: POINTS }, (_, i) => EPOCH_SECONDS + (i + shift) * 30);
  const curves = Array.from({ length: CURVES }, (_, curve) => ({
    label: `Meter ${curve}`,
    colour: curveColours[curve % curveColours.length] ?? "chart-1",
    values: timestamps.map((_, i) => 100 * curve + 50 * Math.sin((i + shift) / 40 + curve)),
  }));
  return <PowerChart label="Ten meters" timestamps={timestamps} curves={curves} unit="kW" timeZone="UTC" />;
};

const place = document.getElementById("root");
if (place === null) throw new Error("the page has no place for the chart");
createRoot(place).render(<Page />);

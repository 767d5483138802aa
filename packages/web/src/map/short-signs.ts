import type { MapColours } from "./map-colours.js";

const SIZE_PX = 36;
/** For sharp screens. */
export const SIGN_RATIO = 2;
const LINE_PX = 1.5;

/** Priority has a shape besides its colour: a square for the first, a circle for the second. */
export const signsOf = (colours: MapColours): ReadonlyArray<readonly [name: string, image: ImageData]> => [
  ["unreached", sign(colours["gap-bad"], colours.bad, (on, from, to) => on.rect(from, from, to - from, to - from))],
  ["short", sign(colours["gap-warn"], colours.warn, (on, from, to) => circle(on, from, to))],
];

const circle = (on: CanvasRenderingContext2D, from: number, to: number): void =>
  on.arc(SIZE_PX / 2, SIZE_PX / 2, (to - from) / 2, 0, 2 * Math.PI);

const sign = (
  fill: string,
  line: string,
  shape: (on: CanvasRenderingContext2D, from: number, to: number) => void,
): ImageData => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIZE_PX * SIGN_RATIO;
  const on = canvas.getContext("2d");
  if (on === null) return new ImageData(canvas.width, canvas.height);
  on.scale(SIGN_RATIO, SIGN_RATIO);
  on.beginPath();
  shape(on, LINE_PX, SIZE_PX - LINE_PX);
  on.fillStyle = fill;
  on.fill();
  on.strokeStyle = line;
  on.lineWidth = 2 * LINE_PX;
  on.stroke();
  return on.getImageData(0, 0, canvas.width, canvas.height);
};

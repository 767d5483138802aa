/** Line drawings of 24 by 24, decorative: each is shown next to its word. */
const drawings = {
  now: "M3 12h4l3-8 4 16 3-8h4",
  energy: "M4 20V10m6 10V4m6 16v-8m4 8H2",
  dispatch: "M13 3 5 14h6l-1 7 8-11h-6z",
  webhook: "M9 7a3 3 0 1 1 4 3l3 5m-8 2a3 3 0 1 1-3-4m9 6a3 3 0 1 0 3-4H9",
  key: "M14 10a4 4 0 1 0-3 4l2-2h3v-3h3V6h-3z",
  calendar: "M4 6h16v14H4zm0 5h16M8 3v5m8-5v5",
  mail: "M3 6h18v12H3zm0 1 9 7 9-7",
  log: "M5 5h14M5 10h14M5 15h9M5 20h6",
  people: "M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8m-7 10c0-4 3-6 7-6s7 2 7 6m1-10a3 3 0 1 0-2-6m6 15c0-3-2-5-4-5",
  site: "M4 21V8l8-5 8 5v13zm6 0v-6h4v6",
  map: "M9 4 3 6v14l6-2 6 2 6-2V4l-6 2zm0 0v14m6-12v14",
  account: "M4 21V4h10v17m0-12h6v12M7 8h4m-4 4h4m-4 4h4M2 21h20",
  program: "M4 5h16M4 12h10M4 19h13m3-7h.01",
  health: "M12 20s-8-5-8-11a4 4 0 0 1 8-1 4 4 0 0 1 8 1c0 6-8 11-8 11",
  checklist: "M4 6l2 2 3-4m3 3h8M4 13l2 2 3-4m3 3h8M4 20l2 2 3-4m3 3h8",
  alarm: "M12 3a6 6 0 0 1 6 6c0 6 2 7 2 8H4c0-1 2-2 2-8a6 6 0 0 1 6-6m-2 17h4",
  book: "M5 19V5a2 2 0 0 1 2-2h12v18H7a2 2 0 0 1-2-2 2 2 0 0 1 2-2h12",
  audit: "M6 3h9l4 4v14H6zm3 7h7m-7 4h7m-7 4h4",
  statement: "M6 3h12v18l-3-2-3 2-3-2-3 2zm3 5h6m-6 4h6m-3 4h3",
  import: "M12 3v12m-4-4 4 4 4-4M4 19h16",
  connect: "M9 3v6m6-6v6M6 9h12v3a6 6 0 0 1-12 0zm6 9v3",
  report: "M5 21V3h14v18zm4-4v-5m3 5V8m3 9v-3",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14m5-2 5 5",
  wall: "M3 5h18v11H3zm6 16h6m-3-5v5",
  you: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8m-8 9c0-5 4-7 8-7s8 2 8 7",
  phone: "M5 4h4l2 5-3 2a11 11 0 0 0 5 5l2-3 5 2v4c0 1-1 2-2 2A16 16 0 0 1 3 6c0-1 1-2 2-2",
  menu: "M4 7h16M4 12h16M4 17h16",
  leave: "M10 4H5v16h5m4-12 4 4-4 4m4-4H9",
} as const;

export type IconName = keyof typeof drawings;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg
    aria-hidden="true"
    viewBox="0 0 24 24"
    className="size-5 shrink-0"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.7"
    strokeLinecap="round"
    strokeLinejoin="round"
  >
    <path d={drawings[name]} />
  </svg>
);

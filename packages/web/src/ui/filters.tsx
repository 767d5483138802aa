import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { Field } from "./field.js";

/** Filters of a list, in as many columns as fit. */
export const Filters = ({ children }: { readonly children: ReactNode }) => (
  <div className="grid grid-cols-[repeat(auto-fill,minmax(min(14rem,100%),1fr))] items-start gap-x-3 gap-y-2 px-4 pt-2 pb-3">
    {children}
  </div>
);

const TYPING_MS = 300;

const isInRow = (target: Element | null): boolean => target !== null && target.closest("tr") !== null;

/**
 * A free-text filter, applied when typing pauses, to avoid a request for each letter; at once by Enter and when the field
 * is left, so that no button acts on the list of the text before. A button in a row acts on what its row shows: the list
 * stays until it was pressed, for a row that goes away under the pointer takes the click with it.
 */
export const TextFilter = ({
  label,
  value,
  onChange,
  ...rest
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
}) => {
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  const apply = () => {
    const wanted = typed.trim();
    if (wanted === told.current) return;
    told.current = wanted;
    onChange(wanted);
  };
  const applyNow = useEffectEvent(apply);
  useEffect(() => {
    if (typed.trim() === told.current) return;
    const timer = setTimeout(() => applyNow(), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => {
    // A value that this field did not set comes from a link: show it.
    if (value === told.current) return;
    told.current = value;
    setTyped(value);
  }, [value]);
  return (
    <Field
      label={label}
      type="search"
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={({ relatedTarget }) => !isInRow(relatedTarget) && apply()}
      onKeyDown={({ key }) => key === "Enter" && apply()}
      {...rest}
    />
  );
};

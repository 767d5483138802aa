/**
 * Until when reading each state of a dispatch acknowledges it: the end of that state or of the previous one, whichever
 * is later, so that a cancellation or an earlier end can still be acknowledged. A state created after its end can be
 * acknowledged at any time.
 */
export const readUntil = (ofDispatches: string): string => `
  select dispatch_id, modification_number, case when at >= until then 'infinity' else until end as read_until
  from (
    select dispatch_id, modification_number, at, greatest(
      coalesce(end_time, 'infinity'),
      lag(coalesce(end_time, 'infinity'), 1, '-infinity') over (partition by dispatch_id order by modification_number)
    ) as until
    from dispatch_revisions where dispatch_id ${ofDispatches}
  ) as states`;

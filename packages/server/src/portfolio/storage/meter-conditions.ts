/** Whether the load of a meter is load of its site, as `measuredMeters` of the measure package has it (M1). */
export const IS_MEASURED = `case
  when sites.measured_meters is not null then meters.id = any(sites.measured_meters)
  else asset_type = 'poi' or not exists (
    select from meters as point where point.site_id = sites.id and point.asset_type = 'poi')
  end`;

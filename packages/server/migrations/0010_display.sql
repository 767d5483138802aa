-- Since when people see a site's data on pages; null: not yet. Sites that are there already were shown all along, and go on
-- being shown.
alter table sites add column display_enabled_at timestamptz;
update sites set display_enabled_at = now();

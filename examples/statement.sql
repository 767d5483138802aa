-- Computes a statement of Curtail again from the files that it is downloaded with, and compares every line and total.
-- docs/statements.md says which files. Run it beside them: duckdb < statement.sql. It prints no line that agrees.
--
-- All arithmetic is in whole numbers: kW and kWh in thousandths, prices, shares and factors in millionths, money in the
-- currency's minor unit. Nothing is rounded but by `rounded`, half away from zero.

create or replace macro rounded(units, divisor) as
  case when units < 0 then -1 else 1 end * ((2 * abs(units::hugeint) + divisor::hugeint) // (2 * divisor::hugeint));
create or replace macro thousandths(number) as (round(number::decimal(38, 20), 3)::decimal(30, 3) * 1000)::hugeint;
create or replace macro millionths(number) as (number::decimal(20, 6) * 1000000)::hugeint;
create or replace macro minor(quantity, price, factor, digits) as
  rounded(quantity * price * factor, (10 ** (15 - digits))::hugeint);

create or replace temp table terms as select
  program_id, currency, minor_digits::int as digits,
  millionths(capacity_price_per_kw) as kw_price, millionths(factor_lowest) as lowest, millionths(factor_highest) as highest,
  millionths(energy_price_per_kwh) as kwh_price, energy_counted, millionths(energy_highest_share) as highest_share,
  millionths(penalty_below) as below, millionths(penalty_price_per_kwh) as penalty_price, penalty_counted,
  rounded(millionths(penalty_highest_per_month), (10 ** (6 - minor_digits::int))::hugeint) as highest_per_month,
  penalty_within_earnings = 'true' as within_earnings
from read_csv('terms.csv', all_varchar = true);

create or replace temp table sites as select
  program_id, site_id, enrolled = 'true' as enrolled, thousandths(commitment_kw) as commitment
from read_csv('sites.csv', all_varchar = true);

create or replace temp table results as select
  program_id, site_id, dispatch_id, version is not null as is_final, cancelled = 'true' as is_cancelled,
  -- Without any reading, nothing counts as delivered.
  case when silent = 'true' then 0 else thousandths(delivered_net_kwh) end as net,
  case when silent = 'true' then 0 else thousandths(delivered_floored_kwh) end as floored,
  case when silent = 'true' then 0 else thousandths(delivered_capped_kwh) end as capped,
  thousandths(committed_kwh) as committed
from read_csv('results.csv', all_varchar = true);

-- Delivered over committed energy of the month; null without a dispatch that can be judged.
create or replace temp table shares as select
  program_id, site_id,
  case when sum(committed) > 0 then rounded(sum(capped)::hugeint * 1000000, sum(committed)::hugeint) end as share
from results where is_final and not is_cancelled and capped is not null and committed is not null
group by program_id, site_id;

create or replace temp table earned as
select program_id, site_id, null as dispatch_id, 'capacity' as kind,
  coalesce(minor(
    commitment, kw_price,
    case when lowest is null or share is null then 1000000 else greatest(lowest, least(highest, share)) end,
    digits), 0) as amount
from sites join terms using (program_id) left join shares using (program_id, site_id)
where kw_price is not null
union all
select program_id, site_id, dispatch_id, 'energy',
  -- An unknown delivery pays nothing.
  case when delivered is null or not is_final then 0 else
    minor(least(delivered, coalesce(rounded(committed * highest_share, 1000000), delivered)), kwh_price, 1000000, digits)
  end
from (
  select *, case energy_counted when 'net' then net when 'floored' then floored else capped end as delivered
  from results join terms using (program_id)
)
where kwh_price is not null;

create or replace temp table owed as
select program_id, site_id, dispatch_id, 'penalty' as kind,
  -- An unknown delivery is no shortfall.
  case when is_cancelled or not is_final or delivered is null or committed is null then 0 else
    -minor(greatest(0, rounded(committed * below, 1000000) - delivered), penalty_price, 1000000, digits)
  end as amount
from (
  select *, case penalty_counted when 'net' then net when 'floored' then floored else capped end as delivered
  from results join terms using (program_id)
)
where penalty_price is not null;

create or replace temp table caps as
with sums as (
  select program_id, site_id, -sum(owed.amount) as penalties, least(-sum(owed.amount), coalesce(any_value(highest_per_month), -sum(owed.amount))) as monthly,
    any_value(within_earnings) as within_earnings
  from owed join terms using (program_id) group by program_id, site_id
), earnings as (
  select program_id, site_id, greatest(0, sum(amount)) as earnings from earned group by program_id, site_id
)
select program_id, site_id, null as dispatch_id, 'cap' as kind, penalties - monthly as amount,
  'penalties above the most of a month' as words
from sums where penalties > monthly
union all
select program_id, site_id, null, 'cap', monthly - coalesce(earnings, 0), 'penalties above what the site earned in the month'
from sums left join earnings using (program_id, site_id)
where within_earnings and monthly > coalesce(earnings, 0);

create or replace temp table computed as
select *, '' as words from earned union all select *, '' from owed union all select * from caps;

create or replace temp table stated as select
  program_id, site_id, dispatch_id, kind, currency, (amount::decimal(30, 4) * 10000)::hugeint as amount,
  case kind when 'cap' then words else '' end as words
from read_csv('statement.csv', all_varchar = true);

-- Lines that differ, or that only one side has. Amounts in ten thousandths of the currency.
create or replace temp table differences as
with ours as (
  select computed.* exclude (amount), computed.amount * (10 ** (4 - digits))::hugeint as amount
  from computed join terms using (program_id)
)
select coalesce(ours.program_id, stated.program_id) as program_id, coalesce(ours.site_id, stated.site_id) as site_id,
  coalesce(ours.dispatch_id, stated.dispatch_id) as dispatch_id, coalesce(ours.kind, stated.kind) as kind,
  ours.amount as computed, stated.amount as stated
from ours full join stated
  on (ours.program_id, ours.site_id, ours.kind, ours.words) = (stated.program_id, stated.site_id, stated.kind, stated.words)
  and ours.dispatch_id is not distinct from stated.dispatch_id
where ours.amount is distinct from stated.amount;

create or replace temp table totals as
select currency,
  coalesce(sum(amount) filter (where kind = 'capacity'), 0) as capacity,
  coalesce(sum(amount) filter (where kind = 'energy'), 0) as energy,
  coalesce(sum(amount) filter (where kind = 'penalty'), 0) as penalty,
  coalesce(sum(amount) filter (where kind = 'cap'), 0) as cap,
  coalesce(sum(amount), 0) as total, any_value(digits) as digits
from terms left join computed using (program_id) group by currency order by currency;

select * from differences;
select currency, columns(c -> c in ('capacity', 'energy', 'penalty', 'cap', 'total')) / 10 ** digits from totals;

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
  program_id, rules_version::int as rules, currency, minor_digits::int as digits,
  millionths(capacity_price_per_kw) as kw_price, millionths(factor_lowest) as lowest, millionths(factor_highest) as highest,
  millionths(energy_price_per_kwh) as kwh_price, energy_counted, millionths(energy_highest_share) as highest_share,
  millionths(penalty_below) as below, millionths(penalty_price_per_kwh) as penalty_price, penalty_counted,
  rounded(millionths(penalty_highest_per_month), (10 ** (6 - minor_digits::int))::hugeint) as highest_per_month,
  penalty_within_earnings = 'true' as within_earnings
from read_csv('terms.csv', all_varchar = true);

-- By the first rules, the commitment at the end of the month counts for all of it; by later ones, each for its days.
create or replace temp table sites as select
  program_id, site_id, case when rules = 1 then enrolled else any_enrolled end as enrolled,
  case when rules = 1 then commitment when any_commitment then counted end as commitment
from (
  select program_id, site_id, enrolled = 'true' as enrolled, thousandths(commitment_kw) as commitment
  from read_csv('sites.csv', all_varchar = true)
) join terms using (program_id) left join (
  select program_id, site_id, bool_or(enrolled = 'true') as any_enrolled, bool_or(commitment_kw is not null) as any_commitment,
    rounded(sum(days::int * thousandths(counted_kw))::hugeint, sum(days::int)::hugeint) as counted
  from read_csv('commitments.csv', all_varchar = true) group by program_id, site_id
) using (program_id, site_id);

-- Intervals of a site that two dispatches claim are paid in one of them; what the other one loses leaves its commitment, too.
create or replace temp table shared as select
  program_id, site_id, dispatch_id, other_dispatch_id, from_time::timestamptz as from_time, to_time::timestamptz as to_time,
  intervals::int as intervals, paid
from read_csv('shared.csv', all_varchar = true);

create or replace temp table results as select
  program_id, site_id, dispatch_id, version is not null as is_final, cancelled = 'true' or unjudged = 'true' as is_unjudged,
  start_time::timestamptz as start_time, end_time::timestamptz as end_time, issued_time::timestamptz as issued_time,
  coalesce(counted_intervals = '0', false) as is_elsewhere,
  intervals::int - coalesce(lost, 0) as counted, counted_intervals::int as stated_counted,
  -- Missing readings deliver nothing, and neither does what is paid elsewhere.
  case when is_nothing then 0 else thousandths(if(counted_intervals is null, delivered_net_kwh, counted_net_kwh)) end as net,
  case when is_nothing then 0 else thousandths(if(counted_intervals is null, delivered_floored_kwh, counted_floored_kwh)) end as floored,
  case when is_nothing then 0 else thousandths(if(counted_intervals is null, delivered_capped_kwh, counted_capped_kwh)) end as capped,
  case when counted_intervals is null then thousandths(committed_kwh)
    else rounded(thousandths(committed_kwh) * counted_intervals::int, intervals::hugeint) end as committed
from (
  select *, silent = 'true' or missing = 'true' or coalesce(counted_intervals = '0', false) as is_nothing
  from read_csv('results.csv', all_varchar = true)
) left join (
  select program_id, site_id, dispatch_id, sum(intervals) as lost from shared where paid = 'there' group by all
) using (program_id, site_id, dispatch_id);

-- Delivered over committed energy of the month; null without a dispatch that can be judged.
create or replace temp table shares as select
  program_id, site_id,
  case when sum(committed) > 0 then rounded(sum(capped)::hugeint * 1000000, sum(committed)::hugeint) end as share
from results where is_final and not is_unjudged and not is_elsewhere and capped is not null and committed is not null
group by program_id, site_id;

create or replace temp table earned as
select program_id, site_id, null as dispatch_id, 'capacity' as kind,
  coalesce(minor(
    commitment, kw_price,
    case when lowest is null or (share is null and rules = 1) then 1000000
      else greatest(lowest, least(highest, coalesce(share, 1000000))) end,
    digits), 0) as amount
from sites join terms using (program_id) left join shares using (program_id, site_id)
where kw_price is not null
union all
select program_id, site_id, dispatch_id, 'energy',
  -- An unknown delivery pays nothing, and by later rules neither does one that is limited by a commitment without one.
  case when delivered is null or not is_final or (rules > 1 and highest_share is not null and committed is null) then 0 else
    minor(least(delivered, coalesce(rounded(committed * highest_share, 1000000), delivered)), kwh_price, 1000000, digits)
  end
from (
  select *, case energy_counted when 'net' then net when 'floored' then floored else capped end as delivered
  from results join terms using (program_id)
)
where kwh_price is not null;

create or replace temp table owed as
select program_id, site_id, dispatch_id, 'penalty' as kind,
  -- An unknown delivery is no shortfall, nor is one that is paid elsewhere.
  case when is_unjudged or is_elsewhere or not is_final or delivered is null or committed is null then 0 else
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

-- Intervals that are paid twice, that only one of two dispatches counts as shared, or that the later one is paid for.
create or replace temp table doubled as
select one.site_id, one.dispatch_id, other.dispatch_id as other_dispatch_id, 'both are paid for an interval' as what
from results as one join results as other on one.site_id = other.site_id and one.dispatch_id < other.dispatch_id
  and one.start_time < other.end_time and other.start_time < one.end_time
  -- Less than a minute is less than an interval at either end.
  and least(one.end_time, other.end_time) - greatest(one.start_time, other.start_time) >= interval 60 seconds
join terms as here on here.program_id = one.program_id join terms as there on there.program_id = other.program_id
where here.rules > 1 and there.rules > 1 and here.kwh_price is not null and there.kwh_price is not null
  and one.net is not null and other.net is not null
  and (one.committed is not null or here.highest_share is null) and (other.committed is not null or there.highest_share is null)
  and not exists (
    select 1 from shared where (shared.site_id, shared.dispatch_id, shared.other_dispatch_id) in (
      (one.site_id, one.dispatch_id, other.dispatch_id), (one.site_id, other.dispatch_id, one.dispatch_id))
  ) and one.stated_counted is null and other.stated_counted is null
union all
select site_id, dispatch_id, other_dispatch_id, 'the two do not agree'
from shared where other_dispatch_id in (select dispatch_id from results) and not exists (
  select 1 from shared as back where (back.site_id, back.dispatch_id, back.other_dispatch_id, back.from_time) =
    (shared.site_id, shared.other_dispatch_id, shared.dispatch_id, shared.from_time)
    and back.to_time is not distinct from shared.to_time and back.paid <> shared.paid
)
union all
select shared.site_id, shared.dispatch_id, shared.other_dispatch_id, 'the one issued later is paid'
from shared join results as own using (site_id, dispatch_id)
  join results as other on other.site_id = shared.site_id and other.dispatch_id = other_dispatch_id
  join terms as here on here.program_id = own.program_id join terms as there on there.program_id = other.program_id
where paid = 'here' and (own.issued_time, own.dispatch_id) > (other.issued_time, other.dispatch_id) and here.rules = there.rules
union all
select site_id, dispatch_id, null, 'the intervals do not add up'
from results where stated_counted is not null and stated_counted <> counted;

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
select * from doubled;
select currency, columns(c -> c in ('capacity', 'energy', 'penalty', 'cap', 'total')) / 10 ** digits from totals;

// Rules for documents whose schema no package has: each names every member that a value may have.

/** A member that may be missing. */
export const optional = (rule) => Object.assign((value) => value === undefined || meets(rule, value), { isOptional: true });
export const listOf = (rule) => (value) => Array.isArray(value) && value.length > 0 && value.every((one) => meets(rule, one));
export const oneOf = (...values) => (value) => values.includes(value);
export const text = (least, most) => (value) => typeof value === 'string' && value.length >= least && value.length <= most;
export const number = (least) => (value) => Number.isInteger(value) && value >= least;

/** Whether a value meets a rule: a pattern, a predicate, or an object of rules. */
function meets(rule, value) {
  if (rule instanceof RegExp) return typeof value === 'string' && rule.test(value);
  if (typeof rule === 'function') return rule(value);
  return violations(rule, value).length === 0;
}

/** Members of the value that are missing, wrong or unknown. */
export function violations(rules, value) {
  if (typeof value !== 'object' || value === null) return ['not an object'];
  const unknown = Object.keys(value).filter((name) => !(name in rules)).map((name) => `${name} is not a member`);
  const wrong = Object.entries(rules).filter(([name, rule]) => !meets(rule, value[name])).map(([name]) => `${name}: ${JSON.stringify(value[name])}`);
  return [...unknown, ...wrong];
}

/** Names of the members that a value must have. */
export const required = (rules) => Object.keys(rules).filter((name) => !rules[name].isOptional);

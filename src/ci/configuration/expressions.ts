import { ConfigurationError } from './configuration-error';
import { ExpressionPattern } from './expression-pattern';

/** Values of variables by their names. */
export type Variables = Pick<ReadonlyMap<string, string>, 'get'>;

/** A condition on variables: `$A == "x" && $B =~ /^v/`, as `only:variables` and `rules:if` have it. */
export interface Expression {
  /** Throws ConfigurationError where a variable that should be a pattern is none. */
  holds(variables: Variables): boolean;
}

const LONGEST = 10_000;
/** Operands and operators. */
const MOST_TOKENS = 1_000;
const MOST_DEPTH = 100;

const TOKEN =
  /\s*(?:(?<variable>\$\w+)|"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<pattern>\/(?:\\.|[^/\\\n])+\/[imsU]*)|(?<nothing>null)(?!\w)|(?<operator>==|!=|=~|!~|&&|\|\||[()]))/y;

type Token =
  { readonly is: 'operator'; readonly text: string } | { readonly is: 'operand'; readonly operand: Operand };

/** What an operand says: a text, or nothing where there is no such variable. */
interface Operand {
  readonly text: (variables: Variables) => string | null;
  readonly pattern: (variables: Variables) => ExpressionPattern;
  /** May stand to the right of `=~`. */
  readonly mayBePattern: boolean;
}

/** Null for a text that is no expression. */
export function parseExpression(text: string): Expression | null {
  const tokens = text.length > LONGEST ? null : tokensOf(text);
  if (!tokens || tokens.length === 0) return null;
  const parser = new Parser(tokens);
  const condition = parser.alternatives(0);
  return condition && parser.isAtEnd ? { holds: condition } : null;
}

function tokensOf(text: string): Token[] | null {
  const tokens: Token[] = [];
  const trimmed = text.trimEnd();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < trimmed.length) {
    const groups = TOKEN.exec(trimmed)?.groups;
    const token = groups && tokenOf(groups);
    if (!token || tokens.length === MOST_TOKENS) {
      TOKEN.lastIndex = 0;
      return null;
    }
    tokens.push(token);
  }
  return tokens;
}

function tokenOf(groups: Readonly<Record<string, string | undefined>>): Token | null {
  const { variable, pattern, nothing, operator } = groups;
  if (operator !== undefined) return { is: 'operator', text: operator };
  if (variable !== undefined) return { is: 'operand', operand: variableOperand(variable.slice(1)) };
  if (nothing !== undefined) return { is: 'operand', operand: textOperand(null) };
  if (pattern === undefined)
    return { is: 'operand', operand: textOperand(groups['double'] ?? groups['single'] ?? '') };
  const compiled = ExpressionPattern.read(pattern);
  return compiled && { is: 'operand', operand: patternOperand(pattern, compiled) };
}

const textOperand = (text: string | null): Operand => ({
  text: () => text,
  pattern: () => noPattern(text),
  mayBePattern: false,
});

const patternOperand = (text: string, pattern: ExpressionPattern): Operand => ({
  text: () => text,
  pattern: () => pattern,
  mayBePattern: true,
});

const variableOperand = (name: string): Operand => {
  const text = (variables: Variables): string | null => variables.get(name) ?? null;
  return {
    text,
    pattern: (variables) => ExpressionPattern.read(text(variables) ?? '') ?? noPattern(text(variables)),
    mayBePattern: true,
  };
};

function noPattern(text: string | null): never {
  throw new ConfigurationError(`Invalid regular expression: ${text ?? 'null'}`);
}

type Condition = (variables: Variables) => boolean;

const COMPARISONS: Readonly<Record<string, (left: Operand, right: Operand) => Condition>> = {
  '==': (left, right) => (variables) => left.text(variables) === right.text(variables),
  '!=': (left, right) => (variables) => left.text(variables) !== right.text(variables),
  '=~': (left, right) => (variables) => right.pattern(variables).isIn(left.text(variables) ?? ''),
  '!~': (left, right) => (variables) => !right.pattern(variables).isIn(left.text(variables) ?? ''),
};

/** Comparisons bind closest, then `&&`, then `||`; each method answers null where the text is no expression. */
class Parser {
  private place = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  get isAtEnd(): boolean {
    return this.place === this.tokens.length;
  }

  alternatives(depth: number): Condition | null {
    return this.chain(
      '||',
      () => this.conjunction(depth),
      (parts) => (variables) => parts.some((part) => part(variables)),
    );
  }

  private conjunction(depth: number): Condition | null {
    return this.chain(
      '&&',
      () => this.comparison(depth),
      (parts) => (variables) => parts.every((part) => part(variables)),
    );
  }

  private chain(
    operator: string,
    next: () => Condition | null,
    joined: (parts: readonly Condition[]) => Condition,
  ): Condition | null {
    const parts: Condition[] = [];
    do {
      const part = next();
      if (!part) return null;
      parts.push(part);
    } while (this.takes(operator));
    return joined(parts);
  }

  private comparison(depth: number): Condition | null {
    if (depth > MOST_DEPTH) return null;
    if (this.takes('(')) {
      const inner = this.alternatives(depth + 1);
      return inner && this.takes(')') ? inner : null;
    }
    const left = this.operand();
    if (!left) return null;
    const operator = Object.keys(COMPARISONS).find((text) => this.takes(text));
    // A variable alone asks whether it says anything.
    if (operator === undefined) return (variables) => (left.text(variables) ?? '').trim() !== '';
    const right = this.operand();
    if (!right || (operator.endsWith('~') && !right.mayBePattern)) return null;
    return COMPARISONS[operator]?.(left, right) ?? null;
  }

  private operand(): Operand | null {
    const token = this.tokens[this.place];
    if (token?.is !== 'operand') return null;
    this.place += 1;
    return token.operand;
  }

  private takes(operator: string): boolean {
    const token = this.tokens[this.place];
    if (token?.is !== 'operator' || token.text !== operator) return false;
    this.place += 1;
    return true;
  }
}

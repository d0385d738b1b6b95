import { PushRule } from './push-rule.entity';
import { PushRuleSettings } from './push-rule-settings.service';
import { PushRulesController } from './push-rules.controller';
import { PushRulesRepository } from './push-rules.repository';
import { PushRules } from './push-rules.service';

/** Push rules, as the repository module takes them up. */
export const PUSH_RULES = {
  entities: [PushRule],
  controllers: [PushRulesController],
  providers: [PushRuleSettings, PushRules, PushRulesRepository],
};

import { Tabs } from 'radix-ui';
import { useStore, useStores } from '../state/storesContext';
import { GroupDetail } from '../views/parameters/GroupDetail';
import { GroupStory } from '../views/story/GroupStory';
import styles from './GroupTabs.module.css';

const SETTING = 'parameters.tab';

/** The chosen group beside the grid: over all versions, or at the chosen one. */
export function GroupTabs() {
  const { settings } = useStores();
  const tab = useStore(settings, (state) => (state.values[SETTING] === 'version' ? 'version' : 'story'));
  return (
    <Tabs.Root value={tab} onValueChange={(next) => settings.getState().setValue(SETTING, next)} className={styles.tabs}>
      <Tabs.List className={styles.list} aria-label="Parameter group">
        <Tabs.Trigger value="story" className={styles.tab}>
          All versions
        </Tabs.Trigger>
        <Tabs.Trigger value="version" className={styles.tab}>
          This version
        </Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content value="story" className={styles.content} tabIndex={-1}>
        <GroupStory />
      </Tabs.Content>
      <Tabs.Content value="version" className={styles.content} tabIndex={-1}>
        <GroupDetail />
      </Tabs.Content>
    </Tabs.Root>
  );
}

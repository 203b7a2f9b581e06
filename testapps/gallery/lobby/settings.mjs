const settings = { limit: 4, motto: 'welcome' };
export default settings;

export const update = (changes) => Object.assign(settings, changes);

/** Words that many companies have in their names, by their meaning. They match across languages and weigh little. */
const companyWords: Readonly<Record<string, string>> = {
  company:
    'company co companies compagnie compania companhia kompaniya kompania kompani gesellschaft firma firm societe societa sociedad cie kompaniia sherkat sharikat shirkat gongsi',
  group: 'group groupe gruppe grupo gruppo grup gruppa holding holdings kholding',
  trade:
    'trading trade trades torgovlya torgovy commerce commercial handel comercio commerciale ticaret tijara',
  international:
    'international internationale internacional intl int mezhdunarodny global world worldwide',
  national: 'national nacional nationale natsionalny natl federal state gosudarstvenny',
  industry:
    'industry industries industrie industria industrial industriel promyshlenny sanaye sanayi',
  enterprise:
    'enterprise enterprises entreprise empresa predpriyatie business businesses ventures venture',
  service: 'service services servicios servizi dienste uslugi hizmetleri',
  bank: 'bank banque banco banca banka banking',
  invest:
    'investment investments invest investissement capital fund funds asset assets equity wealth finance financial',
  technology:
    'technology technologies tech technologie teknoloji tekhnologii systems system solutions solution',
  industryplant: 'factory plant works zavod fabrika kombinat manufacturing production',
  transport:
    'transport transportation logistics shipping maritime marine aviation airlines airline air lines aerospace cargo',
  energy: 'energy oil gas petroleum petrochemical neft power electric energetika',
  building: 'construction building engineering stroy development contracting contractors',
  organization:
    'organization organisation organizacion organizatsiya association union society institute foundation office agency center centre department committee council ministry',
  supply: 'supply supplies import export imports exports distribution marketing sales general',
  partner: 'partner partners associates brothers bros sons',
};

/** Words without meaning of their own. */
const stopWords =
  'the of and for in on at to by with from a an und et y e i fur der die das de la le les du des da do dos di del della el los las per na';

/** Parts of names that are written apart, together or not at all: article, son, father. */
const particles: Readonly<Record<string, string>> = {
  al: 'al el ul ur ud as ash ad ar at an az il',
  bin: 'bin ben ibn bn bint',
  ould: 'ould wuld wald ould walad',
  van: 'van von der den de di da del della du dos das do la le ter ten of y e zu',
};

/** Titles say nothing of who it is. */
const titles =
  'mr mrs ms miss mister madam madame monsieur herr frau dr doctor doktor prof professor sir lord dame lady hon honourable honorable excellency general colonel captain capt lieutenant brigadier admiral major president prasident senator minister jr junior sr senior esq phd';

/** Titles that are part of some names. */
const halfTitles =
  'haji hajji hajj haj sheikh shaikh shaykh sheik mullah mulla maulavi mawlawi qari sayyid sayed said syed seyed sayyed agha khan';

/** Short forms of given names; the long forms stand behind them. */
const nicknames =
  'bob robert rob|bill william will|dick richard rick|ted theodore edward|tim timothy|tom thomas|jim james jimmy|jack john|mike michael|nick nicholas|tony anthony|ben benjamin benedict|sam samuel samantha|alex alexander alexandra|sasha alexander|dan daniel danny|dave david|steve stephen steven|chris christopher christoph|greg gregory|ken kenneth|ron ronald|ray raymond|larry lawrence|andy andrew drew|matt matthew mathew|joe joseph|jon jonathan|liz elizabeth beth|sue susan|kate katherine catherine|maggie margaret peggy|debbie deborah|fred frederick|barry barack|jess jessica|pete peter|max maximilian|chuck charles charlie|ed edward eddie|hans johannes|volodya vladimir|dima dmitry|misha mikhail|kolya nikolai|ivan iwan';

/** The same given name in several languages, where consonants do not tell it. */
const variants =
  'osama usama usamah|youssef yusuf joseph yousef yusif josef|sergey sergei sergej sergejs serge|aleksandr alexander alexandr oleksandr aliaksandr alejandro|vladimir volodymyr wladimir uladzimir|mikhail michael mykhailo michail|nikolai nikolay nicholas mykola nicolas|dmitry dmitri dmitriy dmytro|yevgeny evgeny eugene evgeniy yevgeniy|yuri yury juri iouri yuriy|andrei andrey andrew andrii andriy|pavel paul pavlo|petr pyotr peter petro|ivan john iwan|ibrahim abraham ebrahim brahim|musa moses moussa mousa|isa eissa issa|yaqub jacob yaqoub yakub|dawood david daoud dawud daud|sulaiman suleiman solomon soleyman|ismail ishmael esmail ismael|ali aly|hussein husayn hossein husain hussain|hassan hasan|omar umar omer|uthman osman othman usman|kim gim|lee li yi ri rhee|park pak bak|choi choe|jung jong chung jeong|cho jo|yun yoon';

const numberWords =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety';
const ordinals = 'zeroth first second third fourth fifth sixth seventh eighth ninth tenth';

const split = (text: string): string[] => text.split(' ').filter((word) => word !== '');

const byWord = (groups: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(groups).flatMap(([group, words]) =>
      split(words).map((word): [string, string] => [word, group]),
    ),
  );

/** What a common word of a company's name means. */
export const companyWord = byWord(companyWords);
/** The part of a person's name that a word is, in one spelling. */
export const particle = byWord(particles);
export const isTitle = new Set(split(titles));
export const isHalfTitle = new Set(split(halfTitles));
export const isStopWord = new Set(split(stopWords));

/** The groups of given names that a word belongs to. */
export const givenNames: ReadonlyMap<string, readonly number[]> = (() => {
  const found = new Map<string, number[]>();
  const groups = `${nicknames}|${variants}`.split('|');
  groups.forEach((group, index) => {
    for (const word of split(group)) found.set(word, [...(found.get(word) ?? []), index]);
  });
  return found;
})();

const numbers: ReadonlyMap<string, number> = new Map([
  ...split(numberWords).map((word, value): [string, number] => [word, value]),
  ...split(ordinals).map((word, value): [string, number] => [word, value]),
  ...split(tens).map((word, value): [string, number] => [word, (value + 2) * 10]),
  ['fourty', 40],
]);

/** The number that a word says: 1 for `first`, `1st` and `one`; null for another word. */
export function numberOfWord(word: string): number | null {
  const digits = /^(\d{1,15})(?:st|nd|rd|th)?$/.exec(word)?.[1];
  return digits === undefined ? (numbers.get(word) ?? null) : Number(digits);
}

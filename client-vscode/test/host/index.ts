/** Entry of the tests that run inside the editor's real extension host. */
import * as path from 'node:path';
import Mocha from 'mocha';

const TESTS = ['build.test.js', 'view.test.js', 'tools.test.js', 'server.test.js'];

/** The extension host's console reaches the driver with much else: each of our lines begins with this word. */
const MARK = 'TEST';

/** One line a test, with the error's text for those that failed. */
class LineReporter extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.on('pass', (test) => console.log(`${MARK} passed: ${test.fullTitle()} (${test.duration ?? 0} ms)`));
    runner.on('fail', (test, error: Error) => console.log(`${MARK} FAILED: ${test.fullTitle()}: ${error.stack ?? error.message}`));
  }
}

export function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', color: false, timeout: 60_000, reporter: LineReporter });
  TESTS.forEach((file) => mocha.addFile(path.resolve(__dirname, file)));
  return new Promise((resolve, reject) => {
    mocha.run((failures) => (failures > 0 ? reject(new Error(`${failures} tests failed`)) : resolve()));
  });
}

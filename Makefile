# Everything that people and CI run. `make build` leaves bin/karousosc.
GO ?= go

.PHONY: all build test vet tsc npm demo bench campaign growth mutants clean

all: build

# npm packages are installed by their lock files; the hidden lock that npm
# leaves in node_modules says whether the installed tree is older.
NPM_DIRS := $(patsubst %/package-lock.json,%,$(wildcard runtime/js/package-lock.json testapps/*/package-lock.json))
NPM_STAMPS := $(addsuffix /node_modules/.package-lock.json,$(NPM_DIRS))

npm: $(NPM_STAMPS)

%/node_modules/.package-lock.json: %/package-lock.json
	cd $* && npm ci --no-audit --no-fund --loglevel=error
	mkdir -p $(@D) && touch $@

# The JavaScript runtime is embedded in the Go program, so it is generated first.
RUNTIME_STAMP := $(filter runtime/js/%,$(NPM_STAMPS))

build: $(RUNTIME_STAMP)
	if [ -f runtime/js/js.go ]; then $(GO) generate ./runtime/js; fi
	$(GO) build -o bin/karousosc ./cmd/karousosc

vet:
	$(GO) vet ./...

tsc: npm
	if [ -f runtime/js/tsconfig.json ]; then cd runtime/js && npx --no-install tsc --noEmit; fi
	if [ -f testapps/motd-ts/tsconfig.json ]; then cd testapps/motd-ts && npx --no-install tsc --noEmit; fi

test: npm build vet tsc
	$(GO) test -timeout 40m ./...

demo: build
	./bin/karousosc demo

bench: npm build
	$(GO) run ./testapps/bench

# All of testapps/core and testapps/language with answers that others got, then the enumerator for as long as you like: make campaign SEEDS=20 SEED=100
SEED ?= 1
SEEDS ?= 5
campaign: npm build
	$(GO) test ./testapps/e2e -count 1 -timeout 60m -run TestOneTag -onetag 1
	for s in $$(seq $(SEED) $$(($(SEED) + $(SEEDS) - 1))); do \
		$(GO) test ./testapps/enumerate -count 1 -timeout 60m -v -run 'Schedules' -seed $$s -programs 2000 -seconds 600 | grep -v '^=== ' || exit 1; \
	done

# State of a million keys, and a million writes of one: make growth GROW=25
GROW ?= 25
growth: npm build
	$(GO) test ./testapps/e2e -count 1 -timeout 60m -v -run TestGrowth -grow $(GROW)

# Which tests notice when a check of the verifier is missing: make mutants RUN=order
RUN ?= .
mutants: npm build
	$(GO) run ./testapps/mutate -run '$(RUN)'

clean:
	rm -rf bin dist
